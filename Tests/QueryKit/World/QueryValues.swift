import CauldronModel
import Foundation

/// The values that objects have and conditions name: few, so that many are equal, and among them
/// those at the ends.
enum QueryValues {
  static let texts = [
    "", "a", "A", "ab", "Abc", "b", "ä", "a\u{308}", "Ä", "é", "e\u{301}", "ß", "SS", "🙂", "👨‍👩‍👧",
    "a*b", "100%", "a_b", "line\nline", "a\u{0}b", "ı", "I", "İ", "Σ", "ς", "\u{0301}",
  ]
  static let integers: [Int64] = [
    -3, -1, 0, 1, 2, 5, 60, .max, .min, .max - 1, 1 << 53 + 1, 1 << 53, -(1 << 53) - 1,
  ]
  static let small: [Int64] = [-3, -1, 0, 1, 2, 5, 60, 32_767, -32_768]
  static let reals: [Double] = [
    -1.5, -1, 0, -0.0, 0.1, 0.5, 1, 2, 5, 60, 0x1p53, 0x1p63, -0x1p63, 1e300, -1e300, 1e-300,
    .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]
  static let decimals = ["0", "1.5", "-3", "1000", "0.1", "2", "123456789.25", "-0.5"]
  static let uris = ["https://a.example/x", "https://a.example/X", "b:c", "file:///a%20b"]
  static let blobs: [Data] = [Data(), Data([0]), Data([0, 1]), Data([255, 0, 255])]
  static let uuids: [Data] = (0..<3).map { byte in Data(repeating: byte * 127, count: 16) }

  /// A value of a type, and nil sometimes.
  static func value(_ type: AttributeType, _ random: inout KitRandom) -> AttributeScalar {
    if random.once(in: 4) { return .null }
    switch type {
    case .integer16: return .integer(random.pick(small))
    case .integer32: return .integer(random.pick(small + [Int64(Int32.max), Int64(Int32.min)]))
    case .integer64: return .integer(random.pick(integers))
    case .boolean: return .integer(Int64(random.below(2)))
    case .double: return .real(random.pick(reals))
    case .float: return .real(random.pick([-1.5, 0, 0.5, 1, 60, 0x1p20, .infinity]))
    case .date: return .real(random.pick([-1.5, -1, 0, 5, 60, 0x1p31, 694_224_000.25]))
    case .decimal: return .text(random.pick(decimals))
    case .string: return .text(random.pick(texts))
    case .uri: return .text(random.pick(uris))
    case .uuid: return .blob(random.pick(uuids))
    case .binary, .transformable, .composite, .undefined: return .blob(random.pick(blobs))
    }
  }

  /// The value as an object takes it.
  static func any(_ scalar: AttributeScalar, _ type: AttributeType) -> Any? {
    switch (scalar, type) {
    case (.integer(let value), .boolean): value != 0
    case (.integer(let value), .integer16): Int16(truncatingIfNeeded: value)
    case (.integer(let value), .integer32): Int32(truncatingIfNeeded: value)
    case (.integer(let value), _): value
    case (.real(let value), .date): Date(timeIntervalSinceReferenceDate: value)
    case (.real(let value), .float): Float(value)
    case (.real(let value), _): value
    case (.text(let text), .decimal): Decimal(string: text)
    case (.text(let text), .uri): URL(string: text)
    case (.text(let text), _): text
    case (.blob(let data), .uuid):
      data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case (.blob(let data), _): data
    case (.null, _): nil
    }
  }
}
