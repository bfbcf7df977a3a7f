/// A sum of reals with all the digits that any real has, rounded once at the end.
///
/// It counts in units of the smallest real, in limbs of 32 bits.
struct WideSum {
  private var limbs = [Int64](repeating: 0, count: 72)
  private var isEndless = 0.0

  private static let base: Int64 = 1 << 32

  mutating func add(_ value: Double) {
    guard value.isFinite else {
      isEndless += value
      return
    }
    let exponent = Int(value.exponentBitPattern)
    let units = Int64(value.significandBitPattern) + (exponent == 0 ? 0 : 1 << 52)
    add(value < 0 ? -units : units, at: max(0, exponent - 1))
  }

  mutating func add(_ value: Int64) {
    // One is the 1074th power of two in units; two halves keep the limbs small.
    add(value >> 32, at: 1074 + 32)
    add(value & 0xFFFF_FFFF, at: 1074)
  }

  /// Adds a number of less than 54 bits, shifted.
  private mutating func add(_ number: Int64, at bit: Int) {
    let sign: Int64 = number < 0 ? -1 : 1
    var rest = Int128(number.magnitude) << Int128(bit % 32)
    var place = bit / 32
    while rest != 0 {
      limbs[place] += sign * Int64(rest & 0xFFFF_FFFF)
      rest >>= 32
      place += 1
    }
  }

  /// The sum; NaN where both infinities are in it.
  var result: Double {
    if isEndless != 0 || isEndless.isNaN { return isEndless }
    var limbs = normal(limbs)
    let isNegative = limbs.last ?? 0 < 0
    if isNegative { limbs = normal(limbs.map { -$0 }) }
    var bits: [UInt8] = []
    for limb in limbs { for bit in 0..<32 { bits.append(UInt8(limb >> Int64(bit) & 1)) } }
    guard let top = bits.lastIndex(of: 1) else { return 0 }
    let value = rounded(bits, top)
    return isNegative ? -value : value
  }

  /// Each limb but the last one from 0 to the base.
  private func normal(_ limbs: [Int64]) -> [Int64] {
    var limbs = limbs
    for place in limbs.indices.dropLast() {
      let carry = limbs[place] >> 32
      limbs[place] -= carry * Self.base
      limbs[place + 1] += carry
    }
    return limbs
  }

  /// To 53 bits, half way to the even one.
  private func rounded(_ bits: [UInt8], _ top: Int) -> Double {
    let last = max(0, top - 52)
    var number: UInt64 = 0
    for bit in stride(from: top, through: last, by: -1) { number = number << 1 | UInt64(bits[bit]) }
    if last > 0, bits[last - 1] == 1 {
      let isMore = bits[..<(last - 1)].contains(1)
      if isMore || number & 1 == 1 { number += 1 }
    }
    guard last > 0 else { return Double(bitPattern: number) }
    // Rounding up may have given it one bit more.
    let isWider = number == 1 << 53
    let exponent = UInt64(last + (isWider ? 2 : 1))
    if exponent >= 2047 { return .infinity }
    return Double(bitPattern: exponent << 52 | (isWider ? 0 : number & (1 << 52 - 1)))
  }
}
