import Foundation

extension RowPointer {
  /// Whether a property has the same value in both rows.
  ///
  /// SQLite spells some numbers in other ways than they were written: a negative zero without its
  /// sign, a decimal number with an exponent, or rounded to 15 digits.
  package func isEqual(_ index: Int, to other: RowPointer, _ form: ValueForm) -> Bool {
    guard isNull(index) == other.isNull(index) else { return false }
    if isNull(index) { return true }
    switch form.comparison {
    case .integer: return slot(index) == other.slot(index)
    case .real: return slot(index) == other.slot(index) || real(index) == other.real(index)
    case .bytes: return hasBytes(index, of: other)
    case .decimal: return hasBytes(index, of: other) || isSameDecimal(index, other)
    }
  }

  private func hasBytes(_ index: Int, of other: RowPointer) -> Bool {
    let mine = bytes(index)
    let theirs = other.bytes(index)
    guard mine.count == theirs.count else { return false }
    guard mine.count > 0, let a = mine.baseAddress, let b = theirs.baseAddress else { return true }
    return memcmp(a, b, mine.count) == 0
  }

  private func isSameDecimal(_ index: Int, _ other: RowPointer) -> Bool {
    guard let mine = decimal(index), let theirs = other.decimal(index) else { return false }
    return mine == theirs
  }
}
