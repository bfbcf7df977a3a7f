import CauldronModel
import CauldronQuery
import Foundation

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

/// Turns the values of a property into numbers.
///
/// Numbers and dates keep their order. For texts and bytes the number is a hash: equal values have
/// equal numbers, and so have some others.
struct ColumnValue: Sendable {
  let index: Int
  let form: Form

  enum Form: Sendable {
    case integer
    case real
    case bytes
  }

  /// Stands for nil, and for NaN, which counts as nil. Only the least integer has it, too.
  static let none = Int64.min

  /// Nil for decimals, which are no numbers of a fixed size.
  init?(_ property: PropertyLayout) {
    let value = RowValue(property)
    index = value.index
    switch value.form {
    case .integer: form = .integer
    case .real: form = .real
    case .bytes: form = .bytes
    case .decimal: return nil
    }
  }

  /// The number of a value that rows are compared with; nil where no row's value is equal to it.
  func number(_ scalar: AttributeScalar) -> Int64? {
    switch (form, scalar) {
    case (.integer, .integer(let value)): value
    case (.integer, .real(let value)): Int64(exactly: value)
    case (.real, .integer(let value)): Self.number(Double(value))
    case (.real, .real(let value)): value.isNaN ? nil : Self.number(value)
    case (.bytes, .text(var text)): text.withUTF8 { Self.number(UnsafeRawBufferPointer($0)) }
    case (.bytes, .blob(let data)): data.withUnsafeBytes { Self.number($0) }
    default: nil
    }
  }

  /// Numbers are in the order of the reals; zero and minus zero are one.
  @inline(__always)
  static func number(_ value: Double) -> Int64 {
    if value.isNaN { return none }
    let bits = value == 0 ? 0 : Int64(bitPattern: value.bitPattern)
    return bits < 0 ? bits ^ .max : bits
  }

  /// Long values are hashed by their two ends, since a column has them all hashed.
  static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let end = 64
    guard bytes.count > 2 * end else { return number(hash: HashedValue.hash(bytes)) }
    let first = HashedValue.hash(UnsafeRawBufferPointer(rebasing: bytes.prefix(end)))
    let last = HashedValue.hash(UnsafeRawBufferPointer(rebasing: bytes.suffix(end)))
    return number(hash: first &+ last &* 31 &+ UInt64(bytes.count))
  }

  private static func number(hash: UInt64) -> Int64 {
    let number = Int64(bitPattern: hash)
    return number == none ? 0 : number
  }
}
