public import CauldronGraph
import CauldronModel

// Orders that come as text, from a file or a user perhaps; the fetch checks their keys.

extension ManagedEntity {
  /// The objects that a condition selects, sorted by terms in a text.
  ///
  /// ```swift
  /// let people = try Person.findAll(sortedBy: "age:NO,name", in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - terms: The order; see ``SortKey/terms(_:ascending:)``.
  ///   - ascending: The direction of terms that name none; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  /// - Throws: `query.unsupported` for terms that are none, `query.unknownKey`; `store.…`.
  /// - Complexity: As ``findAll(where:sortedBy:ascending:limit:offset:in:)``.
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    var request = request(condition, [], limit, offset)
    request.sortKeys = try SortKey.terms(terms, ascending: ascending)
    return try context.fetch(request)
  }

  /// The first object that a condition selects, in the order of terms in a text; nil if there is none.
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> Self? {
    try findAll(
      where: condition, sortedBy: terms, ascending: ascending, limit: 1, in: context
    ).first
  }

  /// The objects that a condition selects, in the default context, sorted by terms in a text.
  @MainActor
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: condition, sortedBy: terms, ascending: ascending, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The first object that a condition selects, in the default context, in the order of terms in a
  /// text.
  @MainActor
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true
  ) throws -> Self? {
    try findFirst(
      where: condition, sortedBy: terms, ascending: ascending, in: ManagedObjectContext.default)
  }
}

extension Array {
  /// Several attributes to sort by, all with the smallest first.
  ///
  /// ```swift
  /// try Person.findAll(sortedBy: .ascending(\.name, \.age), in: context)
  /// ```
  public static func ascending<Object: ManagedEntity>(
    _ paths: PartialKeyPath<Object>...
  ) -> [SortTerm<Object>] where Element == SortTerm<Object> {
    paths.map { .ascending($0) }
  }

  /// Several attributes to sort by, all with the largest first.
  public static func descending<Object: ManagedEntity>(
    _ paths: PartialKeyPath<Object>...
  ) -> [SortTerm<Object>] where Element == SortTerm<Object> {
    paths.map { .descending($0) }
  }
}
