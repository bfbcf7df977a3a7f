/// SplitMix64: the same numbers for the same seed, everywhere.
struct ImportRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Whether something happens that happens once in `count` times.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// One of several; the list is not empty.
  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
