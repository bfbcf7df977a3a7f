import CauldronImport
import CauldronModel

/// Makes records that a plan may read, and some that it cannot.
struct RecordMaker {
  let rules: NaiveRules
  /// Once in how many times something is wrong.
  let trouble: Int
  var random: ImportRandom

  mutating func records(_ plan: NaivePlan, _ count: Int) -> [Node] {
    (0..<count).map { _ in
      random.once(in: trouble * 3) ? random.pick(Literals.any) : record(plan, depth: 0)
    }
  }

  private mutating func record(_ plan: NaivePlan, depth: Int) -> Node {
    var node = Node.object([])
    for attribute in rules.shape.attributes(plan.entity) {
      let isKey = plan.key?.contains(attribute.name) == true
      // What is required is mostly there.
      let rarity = isKey || attribute.isRequired && attribute.fallback == .null ? trouble : 2
      if isKey || attribute.isRequired ? random.once(in: rarity) : random.once(in: 2) { continue }
      put(
        value(attribute, plan, isKey: isKey), rules.mapping(attribute, plan.entity).from,
        attribute.name, &node)
    }
    for relationship in rules.relationships(plan.entity) {
      guard random.once(in: depth == 0 ? 2 : 4) else { continue }
      put(
        links(relationship, plan, depth), rules.mapping(relationship, plan.entity).from,
        relationship.name, &node)
    }
    return node
  }

  /// Puts a value where one of the paths leads.
  private mutating func put(_ value: Node, _ paths: [String], _ name: String, _ node: inout Node) {
    let path = paths.isEmpty ? name : random.pick(paths)
    // A name may have points itself.
    let isWhole = random.once(in: 8)
    let steps = isWhole ? [path] : path.split(separator: ".").map(String.init)
    if steps.count > 1, random.once(in: trouble * 2) { node.put(.null, [steps[0]]) }
    node.put(value, steps)
  }

  private mutating func value(
    _ attribute: Shape.Attribute, _ plan: NaivePlan, isKey: Bool
  ) -> Node {
    if random.once(in: trouble * 2) { return random.pick(Literals.any) }
    if random.once(in: isKey || attribute.isRequired ? trouble * 2 : 8) { return .null }
    if isKey || attribute.name.hasSuffix("ID") || attribute.name.hasPrefix("slug")
      || attribute.name == "id" || attribute.name.hasPrefix("part")
    {
      return Literals.key(attribute.type, &random)
    }
    let formats = rules.mapping(attribute, plan.entity).dateFormats
    return random.pick(Literals.good(attribute.type, formats))
  }

  private mutating func links(
    _ relationship: Shape.Relationship, _ plan: NaivePlan, _ depth: Int
  ) -> Node {
    let target = rules.plan(relationship, of: plan.entity)
    if random.once(in: 8) { return .null }
    if random.once(in: trouble * 2) { return random.pick(Literals.any) }
    guard relationship.isToMany, !random.once(in: 6) else { return child(target, depth) }
    return .array((0..<random.below(4)).map { _ in child(target, depth) })
  }

  private mutating func child(_ plan: NaivePlan, _ depth: Int) -> Node {
    if random.once(in: trouble * 4) { return random.pick(Literals.any + [.null]) }
    if let key = plan.key, depth > 1 || random.once(in: 2) { return self.key(key, plan) }
    return depth > 2 ? .object([]) : record(plan, depth: depth + 1)
  }

  /// What refers to an object: the value of its only key, or a record with all parts.
  private mutating func key(_ names: [String], _ plan: NaivePlan) -> Node {
    var record = Node.object([])
    for name in names {
      guard let attribute = rules.shape.attribute(name, plan.entity) else { continue }
      let value = Literals.key(attribute.type, &random)
      if names.count == 1 { return value }
      put(value, rules.mapping(attribute, plan.entity).from, name, &record)
    }
    return record
  }
}
