public import CauldronGraph
import CauldronModel

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
