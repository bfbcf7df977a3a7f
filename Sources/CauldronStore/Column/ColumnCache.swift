import CauldronModel
import CauldronQuery

/// The columns that a change set keeps for those who search it, least recently used ones first.
///
/// A column is made once the rows that were looked at for want of it are as many as the set has:
/// making it costs no more than what was spent already, and whoever searches once pays nothing.
struct ColumnCache: Sendable {
  private var columns: [(index: Int, column: ValueColumn)] = []
  /// The rows that were looked at, by the index of the property whose column was wanted.
  private var visits: [Int: Int] = [:]
  /// The number of rows in the set.
  private let count: Int
  /// The most columns to keep: four, and no more than 16 MiB of them, but always one.
  private let most: Int

  init(count: Int) {
    self.count = count
    most = max(1, min(4, 2_097_152 / max(1, count)))
  }

  /// Whether more columns than these may be used at once.
  func hasRoom(beside used: Int) -> Bool { used < most }

  /// The column of a property, if there is one.
  mutating func column(_ index: Int) -> ValueColumn? {
    guard let position = columns.firstIndex(where: { $0.index == index }) else { return nil }
    let found = columns.remove(at: position)
    columns.append(found)
    return found.column
  }

  /// Whether it is time to make the column of a property.
  func isDue(_ index: Int) -> Bool { visits[index, default: 0] >= count }

  /// Notes that rows were looked at which a column might have turned away.
  mutating func note(visits: Int, _ index: Int) { self.visits[index, default: 0] += visits }

  /// Keeps a column instead of the one that was not used for the longest time.
  mutating func keep(_ column: ValueColumn, of index: Int) {
    visits[index] = nil
    columns.removeAll { $0.index == index }
    if columns.count == most { columns.removeFirst() }
    columns.append((index, column))
  }

  /// The indices of the properties that have a column.
  var indices: [Int] { columns.map(\.index) }
}

/// The values of one property in many rows, as numbers side by side, which is eight bytes a row.
///
/// Rows lie far apart, and waiting for them is nearly all that a scan of them costs; a column is
/// read in a twentieth of the time.
struct ValueColumn: Sendable {
  /// The number of each row's value, in the order of the rows.
  let numbers: [Int64]
  /// Whether a value has the number that stands for nil.
  let isAmbiguous: Bool

  init(_ value: ColumnValue, _ rows: [RowPointer]) {
    let index = value.index
    switch value.form {
    case .integer:
      numbers = Self.numbers(of: rows, at: index) { $0.slot(index) }
      isAmbiguous = rows.contains { $0.slot(index) == ColumnValue.none && !$0.isNull(index) }
    case .real:
      numbers = Self.numbers(of: rows, at: index) {
        ColumnValue.number($0.real(index))
      }
      isAmbiguous = false
    case .bytes:
      numbers = Self.numbers(of: rows, at: index) { ColumnValue.number($0.bytes(index)) }
      isAmbiguous = false
    }
  }

  @inline(__always)
  private static func numbers(
    of rows: [RowPointer], at index: Int, _ number: (RowPointer) -> Int64
  ) -> [Int64] {
    rows.withUnsafeBufferPointer { rows in
      Array(unsafeUninitializedCapacity: rows.count) { numbers, count in
        for position in rows.indices {
          rows.prefetch(position, index)
          let row = rows[position]
          numbers[position] = row.isNull(index) ? ColumnValue.none : number(row)
        }
        count = rows.count
      }
    }
  }
}
