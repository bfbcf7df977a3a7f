package import CauldronModel

/// A predicate whose keys are resolved to the properties of an entity, and whose types are checked.
package indirect enum BoundPredicate: Sendable {
  case constant(Bool)
  case isNull(PropertyLayout)
  /// Never compares with null; `notEqual` also holds where the property is nil.
  case comparison(PropertyLayout, PredicateNode.ComparisonOperator, AttributeScalar)
  case text(PropertyLayout, PredicateNode.TextOperator, String)
  case isIn(PropertyLayout, Set<AttributeScalar>)
  /// The keys of a to-one relationship's destination.
  case refersTo(PropertyLayout, Set<Int64>)
  /// The keys of the objects themselves.
  case isSelf(Set<Int64>)
  /// The objects with greater keys: what comes behind one that was read.
  case isAfter(Int64)
  case and([BoundPredicate])
  case or([BoundPredicate])
  case not(BoundPredicate)

  /// Whether a relationship, to-one or to-many, leads to an object for which a condition of its
  /// entity holds.
  case exists(PropertyLayout, BoundPredicate)
  /// Compares two expressions; `equal` also holds where both are nil, `notEqual` where one is.
  case compare(BoundExpression, PredicateNode.ComparisonOperator, BoundExpression)
  case search(BoundExpression, TextSearch, BoundExpression)
  case matches(BoundExpression, RegularPattern)
  /// Whether an expression has one of several values, none of which is null.
  case member(BoundExpression, Set<AttributeScalar>)

  /// Whether a row alone tells, by tests of single properties: what `RowTest` compiles.
  package var isPlain: Bool {
    switch self {
    case .exists, .compare, .search, .matches, .member: false
    case .and(let nodes), .or(let nodes): nodes.allSatisfy(\.isPlain)
    case .not(let node): node.isPlain
    case .constant, .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter: true
    }
  }
}

/// How a condition searches texts.
package struct TextSearch: Sendable, Hashable {
  package let kind: PredicateNode.TextOperator
  package let options: TextOptions

  package init(_ kind: PredicateNode.TextOperator, _ options: TextOptions) {
    self.kind = kind
    self.options = options
  }
}

extension BoundPredicate {
  /// The same condition with other keys in the place of those that it names.
  /// - Parameters:
  ///   - entity: The entity whose rows the condition is about.
  ///   - key: Called with a key, and the entity of the object that has it.
  package func mappingKeys(
    of entity: EntityLayout, _ key: (Int64, EntityLayout) -> Int64
  ) -> BoundPredicate {
    switch self {
    case .refersTo(let property, let keys):
      let target = property.destination?.entity ?? entity
      return .refersTo(property, Set(keys.map { key($0, target) }))
    case .isSelf(let keys): return .isSelf(Set(keys.map { key($0, entity) }))
    case .and(let nodes): return .and(nodes.map { $0.mappingKeys(of: entity, key) })
    case .or(let nodes): return .or(nodes.map { $0.mappingKeys(of: entity, key) })
    case .not(let node): return .not(node.mappingKeys(of: entity, key))
    case .exists(let property, let node):
      guard let destination = property.destination?.entity else { return self }
      return .exists(property, node.mappingKeys(of: destination, key))
    case .compare(let a, let comparison, let b):
      return .compare(
        a.mappingKeys(of: entity, key), comparison, b.mappingKeys(of: entity, key))
    case .search(let a, let search, let b):
      return .search(a.mappingKeys(of: entity, key), search, b.mappingKeys(of: entity, key))
    case .matches(let value, let pattern):
      return .matches(value.mappingKeys(of: entity, key), pattern)
    case .member(let value, let values):
      return .member(value.mappingKeys(of: entity, key), values)
    case .constant, .isNull, .comparison, .text, .isIn, .isAfter: return self
    }
  }
}

/// What a predicate binds its rows to, so that they can be looked up instead of tried one by one.
package enum PredicatePin: Sendable {
  /// The rows have these keys.
  case keys(Set<Int64>)
  /// A to-one relationship leads to one of these keys.
  case references(PropertyLayout, Set<Int64>)
  /// An attribute that is searched often, because it is part of what is unique, has one of these
  /// values.
  case values(PropertyLayout, Set<AttributeScalar>)
}

extension BoundPredicate {
  /// What all rows that the predicate holds for have in common; nil where nothing is known.
  package func pin(in entity: EntityLayout) -> PredicatePin? {
    switch self {
    case .isSelf(let keys): return .keys(keys)
    case .constant(false): return .keys([])
    case .comparison(let property, .equal, let value) where property.isIndexed(in: entity):
      return .values(property, [value])
    case .isIn(let property, let values) where property.isIndexed(in: entity):
      return .values(property, values)
    case .refersTo(let property, let keys):
      return .references(property, keys)
    case .and(let nodes):
      return nodes.compactMap { $0.pin(in: entity) }.min { $0.size < $1.size }
    default: return nil
    }
  }

  /// All conditions about values that are searched often, each of which all rows meet.
  package func valuePins(in entity: EntityLayout) -> [PredicatePin] {
    if case .and(let nodes) = self { return nodes.flatMap { $0.valuePins(in: entity) } }
    guard let pin = pin(in: entity), case .values = pin else { return [] }
    return [pin]
  }
}

extension PredicatePin {
  /// Keys first: looking them up makes no index.
  fileprivate var size: Int {
    switch self {
    case .keys(let keys): keys.count
    case .references(_, let keys): 1_000_000 + keys.count
    case .values(_, let values): 1_000_000 + values.count
    }
  }

  /// The condition alone.
  package var predicate: BoundPredicate {
    switch self {
    case .keys(let keys): .isSelf(keys)
    case .references(let property, let keys): .refersTo(property, keys)
    case .values(let property, let values): .isIn(property, values)
    }
  }
}

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
