import Foundation

/// What the digits of a JSON number mean.
package enum JSONNumber {
  /// The integer that a number is, whatever way it was written: `1.0` and `1e3` are integers.
  /// - Returns: Nil for a fraction, or beyond 64 bits.
  package static func integer(_ text: String) -> Int64? {
    if let plain = Int64(text) { return plain }
    guard let (digits, exponent, isNegative) = parts(text) else { return nil }
    if digits.isEmpty { return 0 }
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    let whole = String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent)
    return Int64((isNegative ? "-" : "") + whole)
  }

  /// The digits of a text that is a number as people write it: with zeros or a plus before it.
  /// - Returns: Nil where not all of it is one.
  package static func digits(_ text: String) -> String? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // By bytes: a plus with an accent is no plus, and to look for letters takes long in a text of accents.
    let start = Array(text.utf8.prefix(2))
    let hasPlus = start.first == UInt8(ascii: "+") && start.last != UInt8(ascii: "-")
    let digits = hasPlus ? String(Substring(text.utf8.dropFirst())) : text
    var bytes = Array(digits.utf8)[...]
    if bytes.first == 0x2D { bytes.removeFirst() }
    guard let first = bytes.first, first &- 0x30 < 10 else { return nil }
    var state: JSONNumberState? = .whole
    for byte in bytes.dropFirst() { state = state?.next(byte) }
    return state?.isWhole == true ? digits : nil
  }

  /// The integer that is left of a number where its fraction is cut off.
  /// - Returns: Nil beyond 64 bits.
  package static func whole(_ text: String) -> Int64? {
    guard let (digits, exponent, isNegative) = parts(text) else { return nil }
    if exponent >= 0 { return integer(text) }
    let whole = String(decoding: digits.dropLast(min(-exponent, digits.count)), as: UTF8.self)
    return Int64((isNegative ? "-0" : "0") + whole)
  }

  /// An exponent that stands for all greater ones.
  package static let beyondMeasure = UInt(1) << 60

  /// The number nearest to one; nil where that is none, or 0 for a number that is not.
  package static func real(_ text: String) -> Double? {
    guard let number = Double(text), number.isFinite else { return nil }
    return number != 0 || parts(text)?.digits.isEmpty != false ? number : nil
  }

  /// The digits without zeros around them, the power of ten that they are multiplied by, and the sign.
  /// - Returns: Nil where the text is no number.
  package static func parts(
    _ text: String
  ) -> (digits: [UInt8], exponent: Int, isNegative: Bool)? {
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == 0x2D
    if isNegative { rest.removeFirst() }
    while let byte = rest.first, byte | 0x20 != 0x65 {
      rest.removeFirst()
      if byte == 0x2E {
        isFraction = true
      } else {
        digits.append(byte)
        if isFraction { exponent -= 1 }
      }
    }
    // Zero is zero, whatever it is multiplied by.
    if digits.allSatisfy({ $0 == 0x30 }) { return ([], 0, isNegative) }
    if !rest.isEmpty {
      exponent += self.exponent(rest.dropFirst())
    }
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    let leading = digits.prefix { $0 == 0x30 }.count
    return (Array(digits.dropFirst(leading)), exponent, isNegative)
  }

  /// The exponent that some digits are, or the greatest of its sign.
  private static func exponent(_ digits: ArraySlice<UInt8>) -> Int {
    let greatest = Int(2 * beyondMeasure)
    if let exponent = Int(String(decoding: digits, as: UTF8.self)) {
      return max(-greatest, min(greatest, exponent))
    }
    return digits.first == 0x2D ? -greatest : greatest
  }
}

/// How much of a number was read.
package enum JSONNumberState {
  case minus, zero, whole, point, fraction, exponent, sign, digits

  /// Whether it may end here.
  package var isWhole: Bool {
    switch self {
    case .zero, .whole, .fraction, .digits: true
    case .minus, .point, .exponent, .sign: false
    }
  }

  /// What a byte makes of it; nil where the byte is not part of it.
  package func next(_ byte: UInt8) -> JSONNumberState? {
    let isDigit = byte &- 0x30 < 10
    let isExponent = byte | 0x20 == 0x65
    switch self {
    case .minus: return isDigit ? (byte == 0x30 ? .zero : .whole) : nil
    case .zero: return byte == 0x2E ? .point : isExponent ? .exponent : nil
    case .whole: return isDigit ? .whole : byte == 0x2E ? .point : isExponent ? .exponent : nil
    case .point: return isDigit ? .fraction : nil
    case .fraction: return isDigit ? .fraction : isExponent ? .exponent : nil
    case .exponent: return isDigit ? .digits : byte == 0x2B || byte == 0x2D ? .sign : nil
    case .sign, .digits: return isDigit ? .digits : nil
    }
  }
}
