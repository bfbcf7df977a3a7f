public import Cauldron
public import Foundation

// Unsaved changes count, as everywhere. An error is reported, and nil returned.

extension ManagedEntity {
  /// What a function gathers from an attribute: a number, or for `min:` and `max:` also a text or a date.
  ///
  /// ```swift
  /// let sum = Person.mr_aggregateOperation("sum:", onAttribute: "age", with: nil, in: context)
  /// ```
  /// - Parameter function: `sum:`, `min:`, `max:`, `average:` or `count:`.
  @available(*, deprecated, message: "use 'try Person.where(…).sum(\\.age, in: context)'")
  public static func mr_aggregateOperation(
    _ function: String, onAttribute attribute: String, with predicate: NSPredicate?,
    in context: some ObjectContext
  ) -> Any? {
    let value = MagicalRecord.attempt(in: context.managedObjectContext) {
      try gathered(function, attribute, predicate, nil, context).first?["result"]
    }
    return value ?? nil
  }

  /// What a function gathers from an attribute in the default context.
  @available(*, deprecated, message: "use 'try Person.where(…).sum(\\.age, in: .default)'")
  @MainActor
  public static func mr_aggregateOperation(
    _ function: String, onAttribute attribute: String, with predicate: NSPredicate?
  ) -> Any? {
    mr_aggregateOperation(
      function, onAttribute: attribute, with: predicate, in: ManagedObjectContext.default)
  }

  /// What a function gathers from an attribute, for each value of another one: dictionaries with that
  /// value by its name, and `result`.
  @available(
    *, deprecated, message: "use 'try Person.grouped(by: \\.team).sum(\\.age, in: context)'"
  )
  public static func mr_aggregateOperation(
    _ function: String, onAttribute attribute: String, with predicate: NSPredicate?,
    groupBy group: String, in context: some ObjectContext
  ) -> [[String: Any]]? {
    MagicalRecord.attempt(in: context.managedObjectContext) {
      try gathered(function, attribute, predicate, group, context)
    }
  }

  /// What a function gathers from an attribute in the default context, for each value of another one.
  @available(
    *, deprecated, message: "use 'try Person.grouped(by: \\.team).sum(\\.age, in: .default)'"
  )
  @MainActor
  public static func mr_aggregateOperation(
    _ function: String, onAttribute attribute: String, with predicate: NSPredicate?,
    groupBy group: String
  ) -> [[String: Any]]? {
    mr_aggregateOperation(
      function, onAttribute: attribute, with: predicate, groupBy: group,
      in: ManagedObjectContext.default)
  }

  /// The lines that a function gathers, as dictionaries.
  private static func gathered(
    _ function: String, _ attribute: String, _ predicate: NSPredicate?, _ group: String?,
    _ context: some ObjectContext
  ) throws -> [[String: Any]] {
    let model = context.managedObjectContext.persistentStoreCoordinator.managedObjectModel
    let entity = model.layout(named: entityName)
    let gathering = try Gathering(function, of: attribute, entity)
    let path = group.map { PropertyPath($0) }
    var request = ValueRequest(try oldRequest(predicate))
    request.columns = gathering.columns(path)
    request.groups = path.map { [.property($0)] } ?? []
    return try context.fetchValues(request).map { line in
      var result: [String: Any] = [:]
      result["result"] = line.last.flatMap { gathering.value($0) }
      if let group, let path, let key = line.first {
        result[group] = ValueBox.value(key, ValueBox.type(of: path, in: entity))
      }
      return result
    }
  }
}
