package import CauldronModel

/// Conditions joined by AND or by OR: one flat list, however they were chained.
///
/// Chains of any length are made in linear time and are no deeper than they mean: a tree of
/// enumerations would be taken apart by recursion, which ends a program with a long chain.
public struct PredicateJunction: Sendable {
  /// How the conditions are joined.
  public enum Kind: Sendable, Hashable {
    /// All must hold.
    case all
    /// At least one must hold.
    case any
  }

  /// How the conditions are joined.
  public let kind: Kind
  /// Whether the junction as a whole must not hold.
  public let isNegated: Bool
  let depth: Int
  let count: Int
  private let list: ConditionList

  /// So many junctions of alternating kinds may lie within one another.
  static let greatestDepth = 500

  /// The conditions; empty where they are nested too deeply, which a fetch refuses.
  /// - Complexity: O(conditions) at worst.
  public var conditions: [PredicateNode] { list.first(count) }

  /// Whether the conditions were nested too deeply to be kept.
  var isTooDeep: Bool { depth > Self.greatestDepth }

  init(_ kind: Kind, _ conditions: [PredicateNode], isNegated: Bool = false) {
    let depth = 1 + (conditions.lazy.map(\.depth).max() ?? 0)
    self.init(kind, ConditionList(conditions), conditions.count, depth, isNegated)
  }

  /// A node as a junction of a kind, if it is one.
  init?(_ node: PredicateNode, as kind: Kind) {
    guard case .joined(let junction) = node, junction.kind == kind, !junction.isNegated else {
      return nil
    }
    self = junction
  }

  private init(_ kind: Kind, _ list: ConditionList, _ count: Int, _ depth: Int, _ isNegated: Bool) {
    let isTooDeep = depth > Self.greatestDepth
    self.kind = kind
    self.isNegated = isNegated
    self.depth = min(depth, Self.greatestDepth + 1)
    self.list = isTooDeep ? ConditionList([]) : list
    self.count = isTooDeep ? 0 : count
  }

  /// The opposite condition.
  var negated: PredicateNode {
    if isNegated, count == 1, !isTooDeep { return conditions[0] }
    return .joined(PredicateJunction(kind, list, count, depth, !isNegated))
  }

  /// The junction with one more condition, or with those of a junction of its own kind.
  func appending(_ node: PredicateNode, junction: PredicateJunction?) -> PredicateJunction {
    let new = junction?.conditions ?? [node]
    let depth = max(depth, junction?.depth ?? node.depth + 1)
    let list = list.appending(new, at: count)
    return PredicateJunction(kind, list, count + new.count, depth, isNegated)
  }
}

extension PredicateJunction: Hashable {
  /// Junctions are equal if they join equal conditions in one order.
  public static func == (a: PredicateJunction, b: PredicateJunction) -> Bool {
    TreePart.areEqual(.node(.joined(a)), .node(.joined(b)))
  }

  public func hash(into hasher: inout Hasher) {
    TreePart.node(.joined(self)).combine(into: &hasher)
  }

  /// Whether both may be equal, going by all but the conditions.
  func isLike(_ other: PredicateJunction) -> Bool {
    kind == other.kind && isNegated == other.isNegated && count == other.count
      && depth == other.depth
  }
}

/// A list that junctions share: each sees as many conditions as there were when it was made, so
/// that a chain appends to one list instead of copying it for each link.
private final class ConditionList: Sendable {
  private let nodes: Locked<[PredicateNode]>

  init(_ nodes: [PredicateNode]) { self.nodes = Locked(nodes) }

  func first(_ count: Int) -> [PredicateNode] {
    let all = nodes.withLock { $0 }
    return all.count == count ? all : Array(all.prefix(count))
  }

  /// The list itself where it ends at `count`, else a copy; with more conditions.
  func appending(_ new: [PredicateNode], at count: Int) -> ConditionList {
    let isMine = nodes.withLock { nodes in
      guard nodes.count == count else { return false }
      nodes += new
      return true
    }
    return isMine ? self : ConditionList(first(count) + new)
  }
}

extension CauldronError {
  /// A condition or an expression is nested more deeply than anybody means.
  package static func tooDeep(_ entity: EntityLayout?) -> CauldronError {
    let name = entity.map { "\($0.name): a" } ?? "A"
    return CauldronError(
      .queryTooDeep,
      "\(name) condition has more than \(PredicateJunction.greatestDepth) levels within one another.",
      hint: "Fetch in parts, or filter the fetched objects."
    ).with { $0.entity = entity?.name }
  }
}
