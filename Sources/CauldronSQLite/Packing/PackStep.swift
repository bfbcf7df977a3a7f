/// How one cell of a result becomes one slot of a packed row.
struct PackStep {
  enum Kind: UInt8 {
    case integer
    case real
    case text
    case decimal
    case blob
    case uuid
    /// The entity number beside a to-one; where the file has none, the destination's own.
    case entityKey
  }

  let kind: Kind
  /// The position among the arguments of `z_pack`.
  let argument: Int32
  /// The slot to fill.
  let slot: Int32
  /// The property's index, which is also the number of its null bit.
  let property: Int32
  /// What stands in for a missing entity number.
  let fallback: Int32
}

/// The steps for the rows of one concrete entity.
struct PackedEntity {
  /// `Z_ENT`, shifted to its place in word 1; negative where no such entity is expected.
  let numberWord: Int64
  let leadingWords: Int
  let slotCount: Int
  /// Whether some slots have no column and must be cleared.
  let hasGaps: Bool
  let steps: UnsafeMutableBufferPointer<PackStep>
}
