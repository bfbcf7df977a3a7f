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
    MagicalRecord.attempt { try oldRequest(equality(of: attribute, with: value)) } ?? emptyRequest
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
  ) -> FetchRequest<Self> { mr_requestFirst(with: equality(of: attribute, with: value)) }

  /// A request for the first object with a value.
  @available(*, deprecated, message: "use 'fetchRequest(where: \\.name == \"jack\", limit: 1)'")
  public static func mr_requestFirst(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> FetchRequest<Self> { mr_requestFirst(with: equality(of: attribute, with: value)) }
}

extension ManagedEntity {
  /// A request for what an old call asks for.
  /// - Parameters:
  ///   - predicate: Which objects; nil for all.
  ///   - terms: The order as text; nil for none.
  /// - Throws: `query.…` for a predicate or an order that cannot be read.
  static func oldRequest(
    _ predicate: NSPredicate? = nil, sortedBy terms: String? = nil, ascending: Bool = true,
    limit: Int? = nil
  ) throws -> FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = try predicate?.condition()
    request.limit = limit
    if let terms {
      request.sortKeys = try SortKey.terms(terms, ascending: ascending)
      request.fetchBatchSize = MagicalRecord.defaultBatchSize
    }
    return request
  }

  /// A request that finds nothing, in the place of one that cannot be made.
  static var emptyRequest: FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = .constant(false)
    return request
  }

  /// The condition that a property has a value.
  static func equality(of attribute: String, with value: Any?) -> NSPredicate {
    FormatPredicate(.format("%K == %@", [attribute, value]))
  }
}

// A request's properties by Core Data's names.

extension FetchRequest {
  /// The order as sort descriptors; one that cannot be used is reported and left out.
  @available(*, deprecated, message: "set 'sortKeys' to [SortKey(\"name\")]")
  public var sortDescriptors: [NSSortDescriptor]? {
    get { sortKeys.map { KeySortDescriptor($0.key, ascending: $0.ascending) } }
    set {
      sortKeys = (newValue ?? []).compactMap { descriptor in
        MagicalRecord.attempt { try descriptor.sortKey(of: Object.self) }
      }
    }
  }

  /// The most objects to return; 0 for all.
  @available(*, deprecated, renamed: "limit")
  public var fetchLimit: Int {
    get { limit ?? 0 }
    set { limit = newValue == 0 ? nil : newValue }
  }

  /// How many objects to leave out at the start.
  @available(*, deprecated, renamed: "offset")
  public var fetchOffset: Int {
    get { offset }
    set { offset = newValue }
  }
}
