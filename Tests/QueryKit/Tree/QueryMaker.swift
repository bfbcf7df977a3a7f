import CauldronModel
import CauldronQuery
import Foundation

/// Makes random conditions and expressions about the objects of a random model: of every kind that the
/// tree has, and all of them with a meaning.
struct QueryMaker {
  let schema: QuerySchema
  /// The objects that conditions name, by their root entity.
  let ids: [String: [ManagedObjectID]]
  var random: KitRandom

  init(_ world: QueryWorld, _ random: KitRandom) {
    schema = world.schema
    self.random = random
    var ids: [String: [ManagedObjectID]] = [:]
    for entity in schema.roots.values where ids[entity] == nil {
      ids[entity] = world.all(entity).map(\.id)
    }
    self.ids = ids
  }

  /// A condition on the objects of an entity.
  mutating func condition(_ entity: String, _ depth: Int) -> PredicateNode {
    guard depth > 0 else { return leaf(entity, 0) }
    switch random.below(10) {
    case 0, 1: return .and(conditions(entity, depth))
    case 2, 3: return .or(conditions(entity, depth))
    case 4: return .not(condition(entity, depth - 1))
    case 5, 6: return quantified(entity, depth) ?? leaf(entity, depth)
    default: return leaf(entity, depth)
    }
  }

  private mutating func conditions(_ entity: String, _ depth: Int) -> [PredicateNode] {
    if random.once(in: 30) {
      // A long list, which becomes one of values.
      return (0..<70).map { _ in leaf(entity, 0) }
    }
    return (0..<random.below(4)).map { _ in condition(entity, depth - 1) }
  }

  private mutating func quantified(_ entity: String, _ depth: Int) -> PredicateNode? {
    let quantifier = random.pick([PredicateNode.Quantifier.any, .all, .none])
    guard let path = path(entity, { $0.destination != nil }, throughToMany: true),
      let end = destination(path.steps[...], entity)
    else { return nil }
    return .quantified(quantifier, path, condition(end, depth - 1))
  }

  func destination(_ steps: ArraySlice<String>, _ entity: String) -> String? {
    guard let first = steps.first else { return entity }
    return schema.property(first, entity)?.destination.flatMap {
      destination(steps.dropFirst(), $0)
    }
  }

  func property(_ path: PropertyPath, _ entity: String) -> QuerySchema.Property? {
    guard let last = path.steps.last, let owner = destination(path.steps.dropLast(), entity) else {
      return nil
    }
    return schema.property(last, owner)
  }

  /// A path to a property that is wanted, through up to three relationships.
  mutating func path(
    _ entity: String, _ isWanted: (QuerySchema.Property) -> Bool, throughToMany: Bool = false
  ) -> PropertyPath? {
    var steps: [String] = []
    var owner = entity
    for _ in 0..<3 where random.once(in: 3) {
      let ways = (schema.properties[owner] ?? []).filter {
        $0.isToOne || (throughToMany && $0.isToMany)
      }
      guard !ways.isEmpty else { break }
      let way = random.pick(ways)
      steps.append(way.name)
      owner = way.destination ?? owner
    }
    let wanted = (schema.properties[owner] ?? []).filter(isWanted)
    if wanted.isEmpty { return nil }
    return PropertyPath(steps: steps + [random.pick(wanted).name])
  }

  mutating func options() -> TextOptions {
    random.pick([[], [], .ignoringCase, .ignoringDiacritics, .ignoringCaseAndDiacritics])
  }

  mutating func comparison() -> PredicateNode.ComparisonOperator {
    random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  mutating func objects(_ entity: String) -> [ManagedObjectID] {
    let all = ids[schema.roots[entity] ?? ""] ?? []
    return all.isEmpty ? [] : (0..<random.below(4)).map { _ in random.pick(all) }
  }
}
