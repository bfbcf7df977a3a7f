public import Cauldron
public import Foundation

// An error is reported, and nil returned.

extension ManagedEntity {
  /// All objects, in no order.
  @available(*, deprecated, renamed: "findAll(in:)")
  public static func mr_findAll(in context: some ObjectContext) -> [Self]? {
    found(context) { try oldRequest() }
  }

  /// All objects in the order of terms in a text.
  @available(*, deprecated, renamed: "findAll(sortedBy:ascending:in:)")
  public static func mr_findAllSorted(
    by terms: String, ascending: Bool, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(sortedBy: terms, ascending: ascending) }
  }

  /// The objects that a predicate selects, in the order of terms in a text.
  @available(*, deprecated, message: "use 'findAll(matching: …, sortedBy: \"name\", in: context)'")
  public static func mr_findAllSorted(
    by terms: String, ascending: Bool, with predicate: NSPredicate?, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(predicate, sortedBy: terms, ascending: ascending) }
  }

  /// The objects that a predicate selects; nil for all.
  @available(
    *, deprecated, message: "use 'findAll(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_findAll(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(predicate) }
  }

  /// All objects with a value.
  @available(*, deprecated, message: "use 'findAll(\\.team, \"red\", in: context)'")
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> [Self]? {
    found(context) { try oldRequest(equality(attribute, value)) }
  }

  /// All objects with a value, in the order of terms in a text.
  @available(
    *, deprecated, message: "use 'findAll(\\.team, \"red\", sortedBy: \\.name, in: context)'"
  )
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?, andOrderBy terms: String?,
    ascending: Bool, in context: some ObjectContext
  ) -> [Self]? {
    found(context) {
      try oldRequest(equality(attribute, value), sortedBy: terms, ascending: ascending)
    }
  }

  private static func found(
    _ context: some ObjectContext, call: String = #function,
    _ request: () throws -> FetchRequest<Self>
  ) -> [Self]? {
    MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      try context.fetch(request())
    }
  }
}
