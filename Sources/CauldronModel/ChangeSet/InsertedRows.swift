/// What is known of all rows that a change set inserts, so that nobody has to look at each again.
package struct InsertedRows: Sendable {
  private let required: LayoutDigest.Required
  private var count = 0
  private var first: Int64 = 0
  private var last: Int64 = 0
  /// The smallest key; one below zero is provisional.
  package private(set) var leastKey = Int64.max
  /// Whether the keys ascend, as they do unless two contexts shared a block of keys.
  package private(set) var ascend = true
  /// Whether no required value is missing.
  package private(set) var areComplete = true
  /// Whether no row has changed since it was made.
  package private(set) var areFirstVersions = true

  init(_ entity: EntityLayout, _ rows: [RowPointer]) {
    required = entity.digest.required
    for row in rows { note(row) }
  }

  /// Notes the next row.
  private mutating func note(_ row: RowPointer) {
    let key = row.key
    if count == 0 { first = key } else if key <= last { ascend = false }
    last = key
    if key < leastKey { leastKey = key }
    count += 1
    if !required.isComplete(row) { areComplete = false }
    if row.version > 1 { areFirstVersions = false }
  }

  /// The keys, where they follow one another without a gap.
  package var range: ClosedRange<Int64>? {
    count > 0 && ascend && last - first == Int64(count - 1) ? first...last : nil
  }
}
