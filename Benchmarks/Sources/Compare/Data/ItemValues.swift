/// The ten values of an item, as a program without objects would keep them.
struct ItemValues {
  var key: Int64 = 0
  var name: String
  var city: String
  var email: String
  var title: String
  var age: Int
  var score: Int
  var count: Int
  var height: Double
  var weight: Double
  var flag: Bool
}

extension ItemValues {
  /// Items that are the same in every run: texts of 6 to 30 characters, scores that differ.
  static func make(_ count: Int, from first: Int = 0) -> [ItemValues] {
    var source = Source(state: UInt64(first) &+ 0x9E37_79B9)
    return (first..<first + count).map { number in
      ItemValues(
        key: Int64(number + 1), name: source.text(6...11), city: source.text(12...12),
        email: source.text(5...10) + "@example.org", title: source.text(21...28),
        age: source.below(90), score: number, count: source.below(1_000),
        height: Double(number) * 0.5, weight: Double(source.below(10_000)) * 0.25,
        flag: number % 2 == 0)
    }
  }

  /// How many bytes an item's data need: a word for each value, and the texts.
  static func dataBytes(_ items: [ItemValues]) -> Double {
    let texts = items.reduce(0) { sum, item in
      sum + item.name.utf8.count + item.city.utf8.count + item.email.utf8.count
        + item.title.utf8.count
    }
    return 80 + Double(texts) / Double(max(1, items.count))
  }

  /// Something that depends on every value.
  var digest: Int {
    name.utf8.count &+ city.utf8.count &+ email.utf8.count &+ title.utf8.count &+ age &+ score
      &+ count &+ Int(height) &+ Int(weight) &+ (flag ? 1 : 0)
  }
}

/// Numbers that look random and are the same every time (SplitMix64).
private struct Source {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func text(_ lengths: ClosedRange<Int>) -> String {
    let length = lengths.lowerBound + below(lengths.count)
    let bytes = (0..<length).map { _ in UInt8(ascii: "a") + UInt8(below(26)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
