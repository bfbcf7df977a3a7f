import CauldronModel

/// A column of an entity table, planned from the model.
struct ColumnSchema: Sendable, Hashable {
  /// What the column holds.
  enum Role: Sendable, Hashable {
    case attribute(AttributeType)
    /// The destination's `Z_PK`.
    case toOne
    /// The destination's `Z_ENT`, beside a to-one into a hierarchy.
    case entityKey
  }

  /// The column's name; a file written by Core Data may give it another.
  var name: String
  let role: Role
  /// The number of the entity that declares the property.
  let owner: Int32
  /// The property's index in its owner.
  let property: Int
  /// The name before a number was added because a sibling's column has it, too.
  var base = ""
  /// Other names under which files may hold it.
  var alternatives: [String] = []

  /// The type that the table declares.
  var type: String {
    switch role {
    case .toOne, .entityKey: "INTEGER"
    case .attribute(let type): Self.type(of: type)
    }
  }

  private static func type(of type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .date: "TIMESTAMP"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .binary, .uuid, .transformable: "BLOB"
    }
  }

  /// The column's place among the groups of a table.
  var group: Int {
    switch role {
    case .toOne, .entityKey: 0
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64, .boolean: 0
      case .date, .double, .float: 1
      case .decimal: 2
      case .string, .uri: 3
      case .uuid: 4
      case .binary, .transformable: 5
      }
    }
  }
}
