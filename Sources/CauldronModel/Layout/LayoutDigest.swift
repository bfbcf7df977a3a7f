/// What the engine asks of an entity's properties for every row, in a form that copies nothing.
package struct LayoutDigest: Sendable {
  /// The relationships that have a column.
  package let toOnes: [PropertyLayout]
  /// All relationships.
  package let relationships: [PropertyLayout]
  /// The properties that have a column.
  package let columns: [Column]
  /// The properties that must not be nil.
  package let required: Required

  init(_ properties: [PropertyLayout]) {
    toOnes = properties.filter { $0.kind == .toOne }
    relationships = properties.filter { $0.destination != nil }
    columns = properties.compactMap(Column.init)
    required = Required(properties.filter { $0.isRequired && $0.hasColumn })
  }

  /// Where a value lies in a row.
  package struct Column: Sendable {
    package let index: Int
    package let storage: StorageClass
    /// The slot with the destination's entity number.
    package let entitySlot: Int?

    init?(_ property: PropertyLayout) {
      guard let storage = property.storageClass else { return nil }
      index = property.index
      self.storage = storage
      entitySlot = property.entitySlot
    }
  }

  /// Tells whether a row has all its required values, in one test for most entities.
  package struct Required: Sendable {
    private let mask: Int64
    private let others: [Int]

    init(_ properties: [PropertyLayout]) {
      mask = properties.filter { $0.index < 32 }.reduce(0) { $0 | 1 << Int64($1.index) }
      others = properties.map(\.index).filter { $0 >= 32 }
    }

    package var isEmpty: Bool { mask == 0 && others.isEmpty }

    package func isComplete(_ row: RowPointer) -> Bool {
      row.words[2] & mask == 0 && others.allSatisfy { !row.isNull($0) }
    }
  }
}
