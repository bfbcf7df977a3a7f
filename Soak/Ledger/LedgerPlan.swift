import Cauldron

/// Which saves a run makes.
enum LedgerPlan: Int, CaseIterable, Sendable {
  /// Conflicts are refused.
  case refusing
  /// Each save has a policy of its own; two properties change.
  case resolving
  /// As `resolving`, with `overwrite`, which puts back what others did to a second property: only
  /// one changes.
  case overwriting
  /// Amounts go from one account to another, in two events.
  case moving

  func policy(_ random: inout SoakGenerator) -> MergePolicy {
    switch self {
    case .refusing: Bool.random(using: &random) ? .error : .strict
    case .moving: .error
    case .resolving: Self.policies[Int.random(in: 0..<5, using: &random)]
    case .overwriting: Self.policies[Int.random(in: 0..<6, using: &random)]
    }
  }

  private static let policies: [MergePolicy] = [
    .error, .strict, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback,
    .overwrite,
  ]

  var properties: [String] {
    switch self {
    case .refusing, .resolving: ["balance", "mark"]
    case .overwriting, .moving: ["balance"]
    }
  }
}

/// By which way a save goes to the store.
enum LedgerWay: String, CaseIterable, Sendable {
  case stack, childOfMain, childOfRoot, main, sibling, staleSibling, secondRoot, childOfSecondRoot
  case discarded, rolledBack

  /// A context of its own is edited, and saved some time later.
  var isFresh: Bool {
    switch self {
    case .childOfMain, .childOfRoot, .secondRoot, .childOfSecondRoot, .discarded: true
    case .stack, .main, .sibling, .staleSibling, .rolledBack: false
    }
  }
}
