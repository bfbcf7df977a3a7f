public import Cauldron
public import Foundation

// A request needs no context, so that the forms with one do the same. Where a predicate or an order cannot
// be read, that is reported, and the request finds nothing.

extension ManagedEntity {
  /// A request for all objects.
  @available(*, deprecated, renamed: "fetchRequest()")
  public static func mr_createFetchRequest() -> FetchRequest<Self> { FetchRequest() }

  /// A request for all objects.
  @available(*, deprecated, message: "use 'fetchRequest()'")
  public static func mr_createFetchRequest(
    in context: some ObjectContext
  ) -> FetchRequest<Self> { FetchRequest() }

  /// A request for all objects.
  @available(*, deprecated, renamed: "fetchRequest()")
  public static func mr_requestAll() -> FetchRequest<Self> { FetchRequest() }

  /// A request for all objects.
  @available(*, deprecated, message: "use 'fetchRequest()'")
  public static func mr_requestAll(in context: some ObjectContext) -> FetchRequest<Self> {
    FetchRequest()
  }

  /// A request for the objects that a predicate selects; nil for all.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.age >= 18)'")
  public static func mr_requestAll(with predicate: NSPredicate?) -> FetchRequest<Self> {
    MagicalRecord.attempt { try oldRequest(predicate) } ?? emptyRequest
  }

  /// A request for the objects that a predicate selects; nil for all.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.age >= 18)'")
  public static func mr_requestAll(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> FetchRequest<Self> { mr_requestAll(with: predicate) }

  /// A request for the objects with a value.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.name == \"jack\")'")
  public static func mr_requestAllWhere(
    _ attribute: String, isEqualTo value: Any?
  ) -> FetchRequest<Self> {
    MagicalRecord.attempt { try oldRequest(equality(attribute, value)) } ?? emptyRequest
  }

  /// A request for the objects with a value.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.name == \"jack\")'")
  public static func mr_requestAllWhere(
    _ attribute: String, isEqualTo value: Any?, in context: some ObjectContext
  ) -> FetchRequest<Self> { mr_requestAllWhere(attribute, isEqualTo: value) }

  /// A request for all objects in the order of terms in a text.
  @available(*, deprecated, message: "use 'fetchRequest(sortedBy: \\.name)'")
  public static func mr_requestAllSorted(
    by terms: String, ascending: Bool
  ) -> FetchRequest<Self> { mr_requestAllSorted(by: terms, ascending: ascending, with: nil) }

  /// A request for all objects in the order of terms in a text.
  @available(*, deprecated, message: "use 'fetchRequest(sortedBy: \\.name)'")
  public static func mr_requestAllSorted(
    by terms: String, ascending: Bool, in context: some ObjectContext
  ) -> FetchRequest<Self> { mr_requestAllSorted(by: terms, ascending: ascending, with: nil) }

  /// A request for the objects that a predicate selects, in the order of terms in a text.
  @available(*, deprecated, message: "use 'fetchRequest(where: …, sortedBy: \\.name)'")
  public static func mr_requestAllSorted(
    by terms: String, ascending: Bool, with predicate: NSPredicate?
  ) -> FetchRequest<Self> {
    MagicalRecord.attempt { try oldRequest(predicate, sortedBy: terms, ascending: ascending) }
      ?? emptyRequest
  }

  /// A request for the objects that a predicate selects, in the order of terms in a text.
  @available(*, deprecated, message: "use 'fetchRequest(where: …, sortedBy: \\.name)'")
  public static func mr_requestAllSorted(
    by terms: String, ascending: Bool, with predicate: NSPredicate?, in context: some ObjectContext
  ) -> FetchRequest<Self> {
    mr_requestAllSorted(by: terms, ascending: ascending, with: predicate)
  }
}
