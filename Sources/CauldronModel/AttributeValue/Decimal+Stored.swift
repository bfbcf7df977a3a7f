package import Foundation

extension Decimal {
  /// The number that a text spells out, as stores keep it; nil for NaN and for texts that are no
  /// number.
  ///
  /// SQLite keeps integers of 64 bits as they are, and of other numbers 15 significant digits
  /// (https://www.sqlite.org/floatingpoint.html), so all stores compare that much of them.
  package static func number(_ text: String) -> Decimal? {
    guard let value = Decimal(string: text), !value.isNaN else { return nil }
    return text.utf8.count <= significantDigits ? value : value.kept
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
