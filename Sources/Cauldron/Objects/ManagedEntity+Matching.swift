public import CauldronGraph
import CauldronModel

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
  /// - Throws: `query.…`, with a position where the format cannot be read; `store.…`.
  /// - Complexity: As ``findAll(where:sortedBy:ascending:limit:offset:in:)``.
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

  /// Marks the objects deleted that a format string selects; see ``deleteAll(where:in:)``.
  /// - Returns: How many objects were found and marked.
  /// - Throws: As ``findAll(matching:_:sortedBy:ascending:limit:offset:in:)``; then nothing is marked.
  @discardableResult
  public static func deleteAll(
    matching format: String, _ arguments: Any?..., in context: some ObjectContext
  ) throws -> Int {
    try deleteAll(where: Where(format: format, arguments: arguments), in: context)
  }
}
