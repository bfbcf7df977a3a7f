public import Cauldron
public import Foundation

// An error is reported, and nil returned.

extension ManagedEntity {
  /// Any object; nil if there is none.
  @available(*, deprecated, renamed: "findFirst(in:)")
  public static func mr_findFirst(in context: some ObjectContext) -> Self? {
    first(context) { try oldRequest() }
  }

  /// The first object that a predicate selects; nil if there is none.
  @available(
    *, deprecated, message: "use 'findFirst(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_findFirst(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(predicate) }
  }

  /// The first object that a predicate selects, in the order of terms in a text.
  @available(
    *, deprecated, message: "use 'findFirst(where: …, sortedBy: \\.name, in: context)'"
  )
  public static func mr_findFirst(
    with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool,
    in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(predicate, sortedBy: terms, ascending: ascending) }
  }

  /// The first object that a predicate selects; it has all attributes.
  @available(*, deprecated, message: "use 'findFirst(where: …, in: context)'")
  public static func mr_findFirst(
    with predicate: NSPredicate?, andRetrieveAttributes attributes: [Any]?,
    in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(predicate) }
  }

  /// The first object with a value; nil if there is none.
  @available(*, deprecated, message: "use 'findFirst(\\.name, \"jack\", in: context)'")
  public static func mr_findFirst(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(equality(attribute, value)) }
  }

  /// The first object in the order of terms in a text; nil if there is none.
  @available(*, deprecated, renamed: "findFirst(sortedBy:ascending:in:)")
  public static func mr_findFirstOrdered(
    byAttribute terms: String, ascending: Bool, in context: some ObjectContext
  ) -> Self? {
    first(context) { try oldRequest(sortedBy: terms, ascending: ascending) }
  }

  private static func first(
    _ context: some ObjectContext, call: String = #function,
    _ request: () throws -> FetchRequest<Self>
  ) -> Self? {
    let found = MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      try context.fetchFirst(request())
    }
    return found ?? nil
  }
}
