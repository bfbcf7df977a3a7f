import Foundation

/// Where a row keeps a value, and how values of its kind compare.
struct RowValue: Sendable {
  let index: Int
  let form: ValueForm.Comparison

  /// Stands for the row's key, which is not among the slots.
  static let key = RowValue(index: -1, form: .integer)

  var isKey: Bool { index < 0 }

  private init(index: Int, form: ValueForm.Comparison) {
    self.index = index
    self.form = form
  }

  /// The value of a property; properties without a column read as nil.
  init(_ property: PropertyLayout) {
    index = property.index
    form = property.form?.comparison ?? .integer
  }

  /// Whether a row has no value; NaN is none, since stores keep it as nil.
  func isNil(in row: RowPointer) -> Bool {
    if row.isNull(index) { return true }
    switch form {
    case .integer, .bytes: return false
    case .real: return real(in: row).isNaN
    case .decimal: return decimal(in: row) == nil
    }
  }

  func real(in row: RowPointer) -> Double {
    row.real(index)
  }

  /// The number; nil where the text is none.
  func decimal(in row: RowPointer) -> DecimalNumber? {
    row.decimal(index)
  }

  /// Compares the values of two rows, nil before all others: -1, 0 or 1.
  func order(_ a: RowPointer, _ b: RowPointer) -> Int {
    let aIsNil = isNil(in: a)
    let bIsNil = isNil(in: b)
    if aIsNil || bIsNil { return aIsNil == bIsNil ? 0 : (aIsNil ? -1 : 1) }
    switch form {
    case .integer: return Self.order(a.slot(index), b.slot(index))
    case .real: return Self.order(real(in: a), real(in: b))
    case .decimal: return Self.order(decimal(in: a) ?? .zero, decimal(in: b) ?? .zero)
    case .bytes: return Self.order(a.bytes(index), b.bytes(index))
    }
  }

  @inline(__always)
  static func order<T: Comparable>(_ a: T, _ b: T) -> Int {
    a < b ? -1 : (a == b ? 0 : 1)
  }

  /// Compares byte by byte; the shorter one comes first where one begins the other.
  static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let common = min(a.count, b.count)
    if common > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = memcmp(first, second, common)
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return order(a.count, b.count)
  }

  /// Compares exactly, also where the integer has more digits than a double; `b` is a number.
  static func order(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b)
    return a == whole ? order(Double(whole), b) : order(a, whole)
  }
}
