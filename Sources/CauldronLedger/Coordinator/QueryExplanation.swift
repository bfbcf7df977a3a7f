import CauldronModel
package import CauldronQuery

/// How a store answers a query; `explain` of a query makes it, and `print` shows it.
public struct QueryExplanation: Sendable, CustomStringConvertible {
  /// The statement, its values as `?`; empty in memory, where there is none.
  public let sql: String
  /// What the store does, a line for each step, indented by what it is part of.
  public let plan: [String]
  /// What the classes would have to declare so that not every row need be looked at; empty mostly.
  public let missingIndexes: [String]

  /// All of it, in several lines.
  public var description: String {
    ((sql.isEmpty ? [] : [sql]) + plan + missingIndexes.map { "Missing: \($0)." })
      .joined(separator: "\n")
  }
}

extension QueryExplanation {
  package init(_ found: StoreExplanation) {
    sql = found.sql
    plan = found.plan
    missingIndexes = found.missing.map { Self.declaration($0.entity, with: $0.properties) }
  }

  /// What a class declares to have an index.
  private static func declaration(
    _ entity: EntityLayout, with properties: [PropertyLayout]
  ) -> String {
    let paths = properties.map { "\\.\($0.name)" }.joined(separator: ", ")
    let whole = "#Index<\(entity.name)>([\(paths)])"
    guard properties.count == 1, let only = properties.first, only.attributeType != nil else {
      return whole
    }
    return "@Attribute(.indexed) var \(only.name) in \(entity.name), or \(whole)"
  }
}
