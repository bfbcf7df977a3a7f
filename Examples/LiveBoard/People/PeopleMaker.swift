import Cauldron
import Foundation

/// Makes people up, the same ones for the same seed.
struct PeopleMaker: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Creates people in a context.
  mutating func create(_ count: Int, in context: LocalContext) {
    for _ in 0..<count { create(in: context) }
  }

  private mutating func create(in context: LocalContext) {
    let person = Person.create(in: context)
    person.name = "\(pick(Names.given)) \(pick(Names.initials)). \(pick(Names.family))"
    person.city = pick(Names.cities)
    person.age = 18 + below(70)
    person.joined = Date(timeIntervalSince1970: 1_262_304_000 + Double(below(5_000)) * 86_400)
    person.isFavourite = below(40) == 0
  }

  private mutating func pick(_ names: [String]) -> String { names[below(names.count)] }

  /// A number from 0 on. The generator is SplitMix64.
  private mutating func below(_ end: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(end))
  }
}
