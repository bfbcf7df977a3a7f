public import Cauldron
public import Foundation

extension ManagedEntity {
  /// A request for the first object that a predicate selects.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.age >= 18, limit: 1)'")
  public static func mr_requestFirst(with predicate: NSPredicate?) -> FetchRequest<Self> {
    MagicalRecord.attempt { try oldRequest(predicate, limit: 1) } ?? emptyRequest
  }

  /// A request for the first object that a predicate selects.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.age >= 18, limit: 1)'")
  public static func mr_requestFirst(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> FetchRequest<Self> { mr_requestFirst(with: predicate) }

  /// A request for the first object with a value.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.name == \"jack\", limit: 1)'")
  public static func mr_requestFirst(
    byAttribute attribute: String, withValue value: Any?
  ) -> FetchRequest<Self> { mr_requestFirst(with: equality(attribute, value)) }

  /// A request for the first object with a value.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.name == \"jack\", limit: 1)'")
  public static func mr_requestFirst(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> FetchRequest<Self> { mr_requestFirst(with: equality(attribute, value)) }
}
