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
