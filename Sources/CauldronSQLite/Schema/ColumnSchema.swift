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
    /// The place among the rows that refer to the same one, beside a to-one with an ordered inverse.
    case orderKey

    /// Whether the column belongs to another one.
    var isCompanion: Bool { self == .entityKey || self == .orderKey }
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
    case .toOne, .entityKey, .orderKey: "INTEGER"
    case .attribute(let type): type.storage.columnType
    }
  }

  /// The column's place among the groups of a table.
  var group: Int {
    switch role {
    case .toOne, .entityKey, .orderKey: 0
    case .attribute(let type): type.storage.columnGroup
    }
  }
}
