public import CauldronGraph
import CauldronModel
import CauldronQuery

// Conditions that come as format strings, as MagicalRecord's callers write them.

extension ManagedEntity {
  /// The objects that a format string selects, unsaved changes of the context's chain included.
  ///
  /// ```swift
  /// try Person.findAll(
  ///   matching: "age >= %@ AND ANY skills.name BEGINSWITH[cd] %@", 18, "sw", sortedBy: "name:NO,age",
  ///   in: context)
  /// ```
  /// - Parameters:
  ///   - format: The condition; the grammar is in <doc:Queries>.
  ///   - arguments: One for each `%@` and the like; see ``Where/init(format:_:)``.
  ///   - terms: The order; see `SortKey.terms(_:ascending:)`. By default there is none.
  ///   - ascending: The direction of terms that name none; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, with a position where the format cannot be read; `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:ascending:limit:offset:in:)`.
  public static func findAll(
    matching format: String, _ arguments: Any?..., sortedBy terms: String = "",
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let condition = try Where<Self>(format: format, arguments: arguments)
    return try findAll(
      where: condition, sortedBy: terms, ascending: ascending, limit: limit, offset: offset,
      in: context)
  }

  /// The first object that a format string selects; nil if there is none.
  /// - Throws: As ``findAll(matching:_:sortedBy:ascending:limit:offset:in:)``.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    matching format: String, _ arguments: Any?..., sortedBy terms: String = "",
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> Self? {
    let condition = try Where<Self>(format: format, arguments: arguments)
    return try findFirst(where: condition, sortedBy: terms, ascending: ascending, in: context)
  }

  /// How many objects a format string selects, unsaved changes of the context's chain included.
  /// - Throws: As ``findAll(matching:_:sortedBy:ascending:limit:offset:in:)``.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public static func count(
    matching format: String, _ arguments: Any?..., in context: some ObjectContext
  ) throws -> Int {
    try count(where: Where(format: format, arguments: arguments), in: context)
  }

  /// Whether there is any object that a format string selects.
  /// - Throws: As ``findAll(matching:_:sortedBy:ascending:limit:offset:in:)``.
  /// - Complexity: One statement that stops at the first row; with pending changes one more.
  public static func hasAny(
    matching format: String, _ arguments: Any?..., in context: some ObjectContext
  ) throws -> Bool {
    try hasAny(where: Where(format: format, arguments: arguments), in: context)
  }

  /// Marks the objects deleted that a format string selects; see `deleteAll(where:in:)`.
  /// - Returns: How many objects were found and marked.
  /// - Throws: As ``findAll(matching:_:sortedBy:ascending:limit:offset:in:)``; then nothing is marked.
  @discardableResult
  public static func deleteAll(
    matching format: String, _ arguments: Any?..., in context: some ObjectContext
  ) throws -> Int {
    try deleteAll(where: Where(format: format, arguments: arguments), in: context)
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// The objects that a format string selects, in the default context.
  @MainActor
  public static func findAll(
    matching format: String, _ arguments: Any?..., sortedBy terms: String = "",
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    let condition = try Where<Self>(format: format, arguments: arguments)
    return try findAll(
      where: condition, sortedBy: terms, ascending: ascending, limit: limit, offset: offset)
  }

  /// The first object that a format string selects, in the default context.
  @MainActor
  public static func findFirst(
    matching format: String, _ arguments: Any?..., sortedBy terms: String = "",
    ascending: Bool = true
  ) throws -> Self? {
    let condition = try Where<Self>(format: format, arguments: arguments)
    return try findFirst(where: condition, sortedBy: terms, ascending: ascending)
  }

  /// How many objects a format string selects, in the default context.
  @MainActor
  public static func count(matching format: String, _ arguments: Any?...) throws -> Int {
    try count(where: Where(format: format, arguments: arguments))
  }

  /// Whether there is any object that a format string selects, in the default context.
  @MainActor
  public static func hasAny(matching format: String, _ arguments: Any?...) throws -> Bool {
    try hasAny(where: Where(format: format, arguments: arguments))
  }

  /// Marks the objects deleted that a format string selects, in the default context.
  @MainActor @discardableResult
  public static func deleteAll(matching format: String, _ arguments: Any?...) throws -> Int {
    try deleteAll(where: Where(format: format, arguments: arguments))
  }
}

extension ManagedEntity {
  /// A request for the objects that a condition selects, to be changed and fetched later.
  ///
  /// ```swift
  /// var request = Person.fetchRequest(where: \.age >= 18, sortedBy: \.name)
  /// request.includesSubentities = false
  /// let adults = try context.fetch(request)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - path: The attribute to sort by; nil values come first when ascending.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  public static func fetchRequest(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest<Self> {
    request(
      where: condition, sortedBy: [ascending ? .ascending(path) : .descending(path)], limit: limit,
      offset: offset)
  }

  /// A request for the objects that a condition selects, sorted by several attributes or not at all.
  public static func fetchRequest(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest<Self> {
    request(where: condition, sortedBy: order, limit: limit, offset: offset)
  }
}

extension ObjectContext {
  /// The first object that a request selects; nil if there is none.
  ///
  /// The request is not changed; its limit does not count, its offset does.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement with `LIMIT 1`; with pending changes one more.
  public func fetchFirst<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> Object? {
    var request = request
    request.limit = 1
    return try fetch(request).first
  }
}

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
  ///   - context: The context to look in.
  /// - Throws: `query.unsupported` for terms that are none, `query.unknownKey`; `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:ascending:limit:offset:in:)`.
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy terms: String, ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    var request = request(where: condition, sortedBy: [], limit: limit, offset: offset)
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
