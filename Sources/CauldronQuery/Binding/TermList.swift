import CauldronModel

/// Gathers the conditions of an AND or an OR: flat, without constants, and with one list for all
/// that ask whether one property has a value.
///
/// `a == 1 OR a == 2` becomes `a IN (1, 2)`, and `a != 1 AND a != 2` its opposite: one search of a
/// set instead of a comparison for each.
struct TermList {
  private let isAll: Bool
  private var terms: [BoundPredicate] = []
  private var memberships: [Int: Membership] = [:]
  private var isDecided = false

  /// The values that one property, or the object itself, is asked for.
  private struct Membership {
    /// The place of the first condition, and of the list.
    let place: Int
    var count = 0
    let property: PropertyLayout?
    var values: Set<AttributeScalar> = []
    var keys: Set<Int64> = []
  }

  init(isAll: Bool) { self.isAll = isAll }

  mutating func add(_ term: BoundPredicate) {
    switch term {
    case .constant(let value): if value != isAll { isDecided = true }
    case .and(let inner) where isAll: for term in inner { add(term) }
    case .or(let inner) where !isAll: for term in inner { add(term) }
    default:
      // All must hold: then it is the opposites that ask for one of several values.
      note(isAll ? term.negated : term)
      terms.append(term)
    }
  }

  /// All terms as one predicate.
  var predicate: BoundPredicate {
    if isDecided { return .constant(!isAll) }
    var result: [BoundPredicate] = []
    for (place, term) in terms.enumerated() {
      guard let membership = membership(of: term), membership.count > 1 else {
        result.append(term)
        continue
      }
      if membership.place == place { result.append(list(membership)) }
    }
    if result.isEmpty { return .constant(isAll) }
    return result.count == 1 ? result[0] : (isAll ? .and(result) : .or(result))
  }

  private mutating func note(_ term: BoundPredicate) {
    guard let index = term.memberIndex else { return }
    var property: PropertyLayout?
    switch term {
    case .comparison(let asked, _, _), .isIn(let asked, _), .refersTo(let asked, _):
      property = asked
    default: break
    }
    let place = terms.count
    var membership =
      memberships.removeValue(forKey: index) ?? Membership(place: place, property: property)
    membership.count += 1
    switch term {
    case .comparison(_, _, let value): membership.values.insert(value)
    case .isIn(_, let values): membership.values.formUnion(values)
    case .refersTo(_, let keys), .isSelf(let keys): membership.keys.formUnion(keys)
    default: break
    }
    memberships[index] = membership
  }

  private func membership(of term: BoundPredicate) -> Membership? {
    (isAll ? term.negated : term).memberIndex.flatMap { memberships[$0] }
  }

  private func list(_ membership: Membership) -> BoundPredicate {
    let list: BoundPredicate
    if let property = membership.property {
      list =
        property.kind == .toOne
        ? .refersTo(property, membership.keys) : .isIn(property, membership.values)
    } else {
      list = .isSelf(membership.keys)
    }
    return isAll ? list.negated : list
  }
}

extension BoundPredicate {
  /// Of which property it asks whether it has one of some values; -1 stands for the object itself.
  fileprivate var memberIndex: Int? {
    switch self {
    case .comparison(let property, .equal, _), .isIn(let property, _), .refersTo(let property, _):
      property.index
    case .isSelf: -1
    default: nil
    }
  }

  /// The opposite; it holds for nil where the predicate does not.
  var negated: BoundPredicate {
    switch self {
    case .constant(let value): .constant(!value)
    case .comparison(let property, .equal, let value): .comparison(property, .notEqual, value)
    case .comparison(let property, .notEqual, let value): .comparison(property, .equal, value)
    case .and(let nodes): .or(nodes.map(\.negated))
    case .or(let nodes): .and(nodes.map(\.negated))
    case .not(let node): node
    case .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter, .exists, .compare,
      .search,
      .matches, .member:
      .not(self)
    }
  }
}
