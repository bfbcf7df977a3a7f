package import Foundation

extension Decimal {
  /// The number that a text spells out, as stores keep it; nil for NaN and for texts that are no
  /// number.
  ///
  /// SQLite keeps integers of 64 bits as they are, and of other numbers 15 significant digits
  /// (https://www.sqlite.org/floatingpoint.html), so all stores compare that much of them.
  package static func number(_ text: String) -> Decimal? {
    // Foundation reads as much of a text as is a number.
    guard isSpelt(text), let value = Decimal(string: text), !value.isNaN else { return nil }
    return text.utf8.count <= significantDigits ? value : value.kept
  }

  /// Whether a text is a number as a whole: a sign, digits with a point, and an exponent.
  static func isSpelt(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    func skip(_ bytes: ClosedRange<UInt8>) -> Int {
      let found = rest.prefix { bytes.contains($0) }.count
      rest = rest.dropFirst(found)
      return found
    }
    func skipOne(_ bytes: [UInt8]) -> Bool {
      guard let first = rest.first, bytes.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let signs = [UInt8(ascii: "+"), UInt8(ascii: "-")]
    _ = skipOne(signs)
    var count = skip(digits)
    if skipOne([UInt8(ascii: ".")]) { count += skip(digits) }
    guard count > 0 else { return false }
    guard skipOne([UInt8(ascii: "e"), UInt8(ascii: "E")]) else { return rest.isEmpty }
    _ = skipOne(signs)
    return skip(digits) > 0 && rest.isEmpty
  }

  /// The most digits of a text that are kept in any case.
  package static var significantDigits: Int { 15 }

  /// The number as a column keeps it.
  package var kept: Decimal {
    var value = self
    var whole = Decimal()
    NSDecimalRound(&whole, &value, 0, .plain)
    if whole == value, whole >= Decimal(Int64.min), whole <= Decimal(Int64.max) { return value }
    // The digits before the point, or minus the zeros behind it.
    let magnitude = significand.description.utf8.count + exponent
    var rounded = Decimal()
    NSDecimalRound(&rounded, &value, Self.significantDigits - magnitude, .bankers)
    return rounded
  }
}
