/// The rows of a change set by the value of one property: chained buckets, with neither values nor
/// hashes in them, which is some ten bytes a row.
struct ValueIndex: Sendable {
  /// The newest row of each bucket; -1 for none.
  private var heads: [Int32]
  /// The row before each one in its bucket.
  private var next: [Int32]

  /// - Parameter count: The number of rows; `row` gives them by position.
  init(_ value: HashedValue, count: Int, _ row: (Int) -> RowPointer) {
    self.init(count: count) { value.hash(row($0)) }
  }

  /// - Parameter hash: The number of a row's value by position; nil where it has none.
  @inline(__always)
  init(count: Int, _ hash: (Int) -> UInt64?) {
    var size = 1
    while size < count { size *= 2 }
    heads = Array(repeating: -1, count: size)
    next = Array(repeating: -1, count: count)
    for position in 0..<count {
      guard let hash = hash(position) else { continue }
      let bucket = Int(hash & UInt64(size - 1))
      next[position] = heads[bucket]
      heads[bucket] = Int32(position)
    }
  }

  /// Calls `body` with the positions of the rows whose value has this hash, and of some others, until
  /// it says that it has enough.
  @inline(__always)
  func forEach(_ hash: UInt64, _ body: (Int) -> Bool) {
    var position = heads[Int(hash & UInt64(heads.count - 1))]
    while position >= 0 {
      guard body(Int(position)) else { return }
      position = next[Int(position)]
    }
  }
}
