internal import CSQLite

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
  /// The cell type that needs no conversion; 0 where every cell takes the slow way.
  let expected: Int32
  /// The position among the arguments of `z_pack`.
  let argument: Int32
  /// The slot to fill.
  let slot: Int32
  /// The property's index, which is also the number of its null bit.
  let property: Int32
  /// What stands in for a missing entity number.
  let fallback: Int32

  init(_ kind: Kind, argument: Int32, slot: Int, property: Int, fallback: Int32 = 0) {
    self.kind = kind
    self.argument = argument
    self.slot = Int32(slot)
    self.property = Int32(property)
    self.fallback = fallback
    switch kind {
    case .integer: expected = SQLITE_INTEGER
    case .real: expected = SQLITE_FLOAT
    case .text: expected = SQLITE_TEXT
    case .blob: expected = SQLITE_BLOB
    case .decimal, .uuid, .entityKey: expected = 0
    }
  }
}

/// The steps for the rows of one concrete entity.
struct PackedEntity {
  /// The words before the first slot, and where a row must begin to find its block: the values of
  /// `RowPointer.header` and `RowBlock.unit`, which are calls from here.
  @inline(__always) static var header: Int { 3 }
  @inline(__always) static var blockUnit: Int { 1 << 16 }

  /// `Z_ENT`, shifted to its place in word 1; negative where no such entity is expected.
  let numberWord: Int64
  let leadingWords: Int
  let slotCount: Int
  /// Whether some slots have no column and must be cleared.
  let hasGaps: Bool
  let steps: UnsafeMutableBufferPointer<PackStep>
}
