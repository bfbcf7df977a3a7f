public import Cauldron
public import Foundation

// Unsaved changes count, as everywhere. An error is reported, and nil returned.

extension ManagedEntity {
  /// What a function gathers from an attribute: a number, or for `min:` and `max:` also a text or a date.
  ///
  /// ```swift
  /// let sum = Person.mr_aggregateOperation("sum:", onAttribute: "age", with: nil, in: context)
  /// ```
  /// - Parameters:
  ///   - function: `sum:`, `min:`, `max:`, `average:` or `count:`.
  ///   - attribute: The attribute's name.
  ///   - predicate: Which objects; nil for all.
  ///   - context: The context to look in.
  @available(*, deprecated, message: "use 'try Person.where(…).sum(\\.age, in: context)'")
  public static func mr_aggregateOperation(
    _ function: String, onAttribute attribute: String, with predicate: NSPredicate?,
    in context: some ObjectContext
  ) -> Any? {
    let value = MagicalRecord.attempt(in: context.managedObjectContext) {
      try gathered(function, of: attribute, where: predicate, by: nil, in: context).first?["result"]
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
      try gathered(function, of: attribute, where: predicate, by: group, in: context)
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
    _ function: String, of attribute: String, where predicate: NSPredicate?, by group: String?,
    in context: some ObjectContext
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
        result[group] = ValueBox.value(key, as: ValueBox.type(of: path, in: entity))
      }
      return result
    }
  }
}

// The old calls looked for the text `min(age)`, and found nothing; these do what their names say. Objects
// without a value do not count. An error is reported, and nil returned.

extension ManagedEntity {
  /// The smallest value that a property has in the object's context.
  @available(*, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age)'")
  public func mr_minValue(for property: String) -> Any? {
    managedObjectContext.flatMap { extreme(property, ascending: true, in: $0) }?.value(
      at: PropertyPath(property))
  }

  /// The largest value that a property has in the object's context.
  @available(
    *, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age, ascending: false)'"
  )
  public func mr_maxValue(for property: String) -> Any? {
    managedObjectContext.flatMap { extreme(property, ascending: false, in: $0) }?.value(
      at: PropertyPath(property))
  }

  /// The object with the smallest value of a property in this object's context.
  @available(*, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age)'")
  public func mr_objectWithMinValue(for property: String) -> Self? {
    managedObjectContext.flatMap { extreme(property, ascending: true, in: $0) }
  }

  /// The object with the smallest value of a property.
  @available(*, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age, in: context)'")
  public func mr_objectWithMinValue(
    for property: String, in context: some ObjectContext
  ) -> Self? { extreme(property, ascending: true, in: context) }

  private func extreme(
    _ property: String, ascending: Bool, in context: some ObjectContext, call: String = #function
  ) -> Self? {
    let found = MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      let known = FormatPredicate(.format("%K != nil", [property]))
      return try context.fetchFirst(
        Self.oldRequest(known, sortedBy: property, ascending: ascending))
    }
    return found ?? nil
  }
}

// An error is reported, and 0 or false returned.

extension ManagedEntity {
  /// How many objects there are.
  @available(*, deprecated, renamed: "count(in:)")
  public static func mr_countOfEntities(with context: some ObjectContext) -> UInt {
    counted(where: nil, in: context)
  }

  /// How many objects a predicate selects; nil for all.
  @available(
    *, deprecated, message: "use 'count(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_countOfEntities(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> UInt { counted(where: predicate, in: context) }

  /// How many objects there are, as a number object.
  @available(*, deprecated, renamed: "count(in:)")
  public static func mr_numberOfEntities(with context: some ObjectContext) -> NSNumber {
    NSNumber(value: counted(where: nil, in: context))
  }

  /// How many objects a predicate selects, as a number object; nil for all.
  @available(
    *, deprecated, message: "use 'count(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_numberOfEntities(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> NSNumber { NSNumber(value: counted(where: predicate, in: context)) }

  /// Whether there is any object.
  @available(*, deprecated, renamed: "hasAny(in:)")
  public static func mr_hasAtLeastOneEntity(in context: some ObjectContext) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) { try hasAny(in: context) } ?? false
  }

  private static func counted(
    where predicate: NSPredicate?, in context: some ObjectContext, call: String = #function
  ) -> UInt {
    MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      UInt(try context.count(for: oldRequest(predicate)))
    } ?? 0
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// How many objects the default context has.
  @available(*, deprecated, renamed: "count()")
  @MainActor
  public static func mr_countOfEntities() -> UInt {
    mr_countOfEntities(with: ManagedObjectContext.default)
  }

  /// How many objects a predicate selects in the default context; nil for all.
  @available(*, deprecated, message: "use 'count(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_countOfEntities(with predicate: NSPredicate?) -> UInt {
    mr_countOfEntities(with: predicate, in: ManagedObjectContext.default)
  }

  /// How many objects the default context has, as a number object.
  @available(*, deprecated, renamed: "count()")
  @MainActor
  public static func mr_numberOfEntities() -> NSNumber {
    mr_numberOfEntities(with: ManagedObjectContext.default)
  }

  /// How many objects a predicate selects in the default context, as a number object; nil for all.
  @available(*, deprecated, message: "use 'count(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_numberOfEntities(with predicate: NSPredicate?) -> NSNumber {
    mr_numberOfEntities(with: predicate, in: ManagedObjectContext.default)
  }

  /// Whether the default context has any object.
  @available(*, deprecated, renamed: "hasAny()")
  @MainActor
  public static func mr_hasAtLeastOneEntity() -> Bool {
    mr_hasAtLeastOneEntity(in: ManagedObjectContext.default)
  }
}

/// What an old call gathers from objects: a function by its name, and a property.
struct Gathering {
  private let expression: QueryExpression
  private let function: QueryExpression.Aggregate
  /// The type of the property's values; nil for a count.
  private let type: AttributeType?

  /// - Parameters:
  ///   - name: `sum:`, `min:`, `max:`, `average:` or `count:`, with or without the colon.
  ///   - attribute: The property, perhaps behind to-one relationships.
  /// - Throws: `query.unsupported` for another function.
  init(_ name: String, of attribute: String, _ entity: EntityLayout?) throws {
    guard let function = Self.functions[name.filter { $0 != ":" }.lowercased()] else {
      throw CauldronError(
        .queryUnsupported, "Cannot compute \"\(name)\" of \"\(attribute)\".",
        hint: "The functions are sum:, min:, max:, average: and count:.")
    }
    self.function = function
    let path = PropertyPath(attribute)
    type = ValueBox.type(of: path, in: entity)
    let value = function == .count ? nil : QueryExpression.property(path)
    expression = .aggregate(function, of: PropertyPath(steps: []), value)
  }

  private static let functions: [String: QueryExpression.Aggregate] = [
    "sum": .sum, "min": .minimum, "max": .maximum, "average": .average, "avg": .average,
    "count": .count,
  ]

  /// The columns of a request: what is gathered, behind what the objects are grouped by.
  func columns(_ group: PropertyPath?) -> [QueryExpression] {
    (group.map { [.property($0)] } ?? []) + [expression]
  }

  /// What was gathered, as Foundation has it.
  func value(_ scalar: AttributeScalar) -> Any? {
    let keepsType = function == .minimum || function == .maximum || type == .decimal
    return ValueBox.value(scalar, as: keepsType ? type : nil)
  }
}

/// Puts what a store keeps into what Core Data's dictionaries hold.
enum ValueBox {
  /// The type of the attribute that a path leads to; nil where it leads to none.
  static func type(of path: PropertyPath, in entity: EntityLayout?) -> AttributeType? {
    var entity = entity
    var type: AttributeType?
    for step in path.steps {
      guard let layout = entity, let index = layout.index(of: step) else { return nil }
      let property = layout.properties[index]
      (entity, type) = (property.destination?.entity, property.attributeType)
    }
    return type
  }

  /// A value as Foundation has it, numbers as `NSNumber`; nil for none.
  static func value(_ scalar: AttributeScalar, as type: AttributeType?) -> Any? {
    switch scalar {
    case .null: nil
    case .integer(let number):
      type == .boolean ? NSNumber(value: number != 0) : NSNumber(value: number)
    case .real(let number):
      type == .date ? Date(timeIntervalSinceReferenceDate: number) : NSNumber(value: number)
    case .text(let text): value(text, as: type)
    case .blob(let data): type == .uuid ? uuid(data) : data
    }
  }

  private static func value(_ text: String, as type: AttributeType?) -> Any? {
    switch type {
    case .decimal:
      NSDecimalNumber(decimal: Decimal(string: text) ?? DecimalNumber(text)?.decimal ?? .nan)
    case .uri: URL(string: text)
    default: text
    }
  }

  private static func uuid(_ data: Data) -> UUID? {
    guard data.count == 16 else { return nil }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
