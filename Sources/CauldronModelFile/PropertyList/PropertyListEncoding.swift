/// The bytes of single objects of a property list.
struct PropertyListEncoding {
  /// The bytes of an object's number.
  let referenceSize: Int

  func bytes(of object: PropertyListObject) -> [UInt8] {
    switch object {
    case .null: [0x00]
    case .boolean(let value): [value ? 0x09 : 0x08]
    case .integer(let value): Self.integer(value)
    case .real(let value): [0x23] + Self.bytes(value.bitPattern, 8)
    case .date(let value): [0x33] + Self.bytes(value.bitPattern, 8)
    case .data(let value): Self.marker(0x4, value.count) + value
    case .text(let value): Self.text(value)
    case .reference(let value):
      [0x80 | UInt8(Self.size(of: value) - 1)] + Self.bytes(value, Self.size(of: value))
    case .array(let elements): Self.marker(0xA, elements.count) + numbers(elements)
    case .dictionary(let keys, let values):
      Self.marker(0xD, keys.count) + numbers(keys) + numbers(values)
    }
  }

  private func numbers(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { Self.bytes($0, referenceSize) }
  }

  private static func text(_ value: String) -> [UInt8] {
    if value.utf8.allSatisfy({ $0 < 0x80 }) {
      return marker(0x5, value.utf8.count) + Array(value.utf8)
    }
    return marker(0x6, value.utf16.count) + value.utf16.flatMap { bytes($0, 2) }
  }

  /// The kind of an object and how many elements it has.
  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 0xF ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF] + integer(count)
  }

  private static func integer(_ value: Int) -> [UInt8] {
    let size = size(of: value)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bytes(value, size)
  }

  /// In how many bytes a number is written: 1, 2, 4 or 8, in which alone it may be negative.
  static func size(of number: Int) -> Int {
    if number < 0 || number >= 1 << 32 { return 8 }
    return number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : 4
  }

  /// The last bytes of a number, the most significant one first.
  static func bytes(_ number: some FixedWidthInteger, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
