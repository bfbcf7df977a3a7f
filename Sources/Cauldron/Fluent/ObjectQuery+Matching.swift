public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// A query for the objects that a format string selects: a value, as `where` makes one.
  ///
  /// ```swift
  /// let adults = try await Person.matching("age >= %@", 18).sorted(by: \.name).fetch()
  /// ```
  /// - Throws: `query.…`, with a position where the format cannot be read.
  public static func matching(
    _ format: String, _ arguments: Any?...
  ) throws -> ObjectQuery<Self> {
    ObjectQuery().where(try Where(format: format, arguments: arguments))
  }
}
