import ArgumentParser
import GraphKit

/// What `soak model` tries.
enum ModelFamily: ExpressibleByArgument {
  /// Operations without conflicts, and in one run of four those of any family.
  case all
  case clean
  case risk(RiskFamily)

  init?(argument: String) {
    switch argument {
    case "all": self = .all
    case "clean": self = .clean
    default:
      guard let family = RiskFamily(rawValue: argument) else { return nil }
      self = .risk(family)
    }
  }

  var defaultValueDescription: String { "all" }

  /// The family of a run; nil for one without conflicts.
  func risk(of seed: UInt64) -> RiskFamily? {
    switch self {
    case .clean: return nil
    case .risk(let family): return family
    case .all:
      let bits = (seed &* 0x9E37_79B9_7F4A_7C15) >> 32
      let families = RiskFamily.allCases
      return bits >> 30 == 0 ? families[Int(bits % UInt64(families.count))] : nil
    }
  }
}
