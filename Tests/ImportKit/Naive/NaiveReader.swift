import CauldronImport
import CauldronModel

/// Coerces a record with all that is nested in it.
struct NaiveReader {
  let rules: NaiveRules
  private(set) var wrongs: Set<Wrong> = []

  init(_ rules: NaiveRules) { self.rules = rules }

  mutating func draft(_ node: Node, _ plan: NaivePlan, _ pointer: String) -> NaiveDraft? {
    guard case .object = node else {
      wrongs.insert(Wrong(pointer: pointer, code: .importValue))
      return nil
    }
    var draft = NaiveDraft(plan: plan, pointer: pointer)
    draft.key = key(node, plan, pointer)
    for attribute in rules.attributes(plan.entity) {
      if let value = value(node, attribute, plan, pointer) { draft.values.append(value) }
    }
    for relationship in rules.relationships(plan.entity) {
      if let link = link(node, relationship, plan, pointer) { draft.links.append(link) }
    }
    return draft
  }

  /// The key of a record; none where something is wrong with it.
  mutating func key(_ node: Node, _ plan: NaivePlan, _ pointer: String) -> [AttributeScalar] {
    let parts = (plan.key ?? []).map { part($0, of: node, plan, pointer) }
    return parts.contains(.null) ? [] : parts
  }

  private mutating func part(
    _ name: String, of node: Node, _ plan: NaivePlan, _ pointer: String
  ) -> AttributeScalar {
    guard let attribute = rules.shape.attribute(name, plan.entity) else { return .null }
    let mapping = rules.mapping(attribute, plan.entity)
    let found = Self.found(node, mapping.from.isEmpty ? [name] : mapping.from)
    let scalar: AttributeScalar
    if let found {
      guard let made = coerced(found.node, attribute, mapping) else {
        wrongs.insert(Wrong(pointer: pointer + found.pointer, code: .importValue))
        return .null
      }
      scalar = made
    } else {
      scalar = .null
    }
    if scalar == .null { wrongs.insert(Wrong(pointer: pointer, code: .importMissingKey)) }
    return scalar
  }

  private func coerced(
    _ node: Node, _ attribute: Shape.Attribute, _ mapping: AttributeImport
  ) -> AttributeScalar? {
    NaiveCoercion(attribute.type, mapping.dateFormats, rules.options.mode).scalar(node)
  }

  private mutating func value(
    _ node: Node, _ attribute: Shape.Attribute, _ plan: NaivePlan, _ pointer: String
  ) -> NaiveDraft.Value? {
    let mapping = rules.mapping(attribute, plan.entity)
    let paths = mapping.from.isEmpty ? [attribute.name] : mapping.from
    let found = Self.found(node, paths)
    let place = pointer + (found?.pointer ?? Self.pointer(paths[0].split(separator: ".")))
    var policy = mapping.absent
    if let found {
      guard let scalar = coerced(found.node, attribute, mapping) else {
        wrongs.insert(Wrong(pointer: place, code: .importValue))
        return nil
      }
      if scalar != .null {
        return NaiveDraft.Value(attribute: attribute, scalar: scalar, pointer: place)
      }
      policy = mapping.null
    }
    if policy == .keep { return nil }
    return NaiveDraft.Value(
      attribute: attribute, scalar: policy == .setNil ? .null : attribute.fallback, pointer: place)
  }

  private mutating func link(
    _ node: Node, _ relationship: Shape.Relationship, _ plan: NaivePlan, _ pointer: String
  ) -> NaiveDraft.Link? {
    let mapping = rules.mapping(relationship, plan.entity)
    let found = Self.found(node, mapping.from.isEmpty ? [relationship.name] : mapping.from)
    guard let found, !found.node.isNull else {
      let policy = found == nil ? mapping.absent : mapping.null
      return policy == .keep ? nil : NaiveDraft.Link(relationship: relationship, children: nil)
    }
    let place = pointer + found.pointer
    guard case .array(let elements) = found.node else {
      let only = child(found.node, relationship, plan, place)
      return NaiveDraft.Link(relationship: relationship, children: [only].compactMap(\.self))
    }
    guard relationship.isToMany else {
      wrongs.insert(Wrong(pointer: place, code: .importValue))
      return nil
    }
    var children: [NaiveDraft.Child] = []
    for (number, element) in elements.enumerated() {
      if let child = child(element, relationship, plan, "\(place)/\(number)") {
        children.append(child)
      }
    }
    return NaiveDraft.Link(relationship: relationship, children: children)
  }

  private mutating func child(
    _ node: Node, _ relationship: Shape.Relationship, _ plan: NaivePlan, _ pointer: String
  ) -> NaiveDraft.Child? {
    let target = rules.plan(relationship, of: plan.entity)
    let mapping = rules.mapping(relationship, plan.entity)
    let isLinked = mapping.members == .linkOnly
    let isAbstract = rules.isLinkOnly(relationship, mapping)
    switch node {
    case .object where isAbstract && (target.key?.count ?? 0) < 2: break
    case .object where !isLinked: return draft(node, target, pointer).map { .draft($0) }
    case .object where target.key != nil:
      return .key(key(node, target, pointer), pointer: pointer)
    case .literal:
      guard let name = target.only, let attribute = rules.shape.attribute(name, target.entity)
      else { break }
      let keyMapping = rules.mapping(attribute, target.entity)
      if let scalar = coerced(node, attribute, keyMapping) {
        return .key([scalar], pointer: pointer)
      }
    case .null:
      wrongs.insert(Wrong(pointer: pointer, code: .importMissingKey))
      return nil
    default: break
    }
    // What it is called where there is no key is open.
    let isKeyless = if case .literal = node { target.only == nil } else { false }
    wrongs.insert(Wrong(pointer: pointer, code: isKeyless ? .importMissingKey : .importValue))
    return nil
  }
}

extension NaiveReader {
  /// What the first of the paths leads to that leads to something; null is something.
  static func found(_ node: Node, _ paths: [String]) -> (pointer: String, node: Node)? {
    for path in paths {
      if let whole = node[path] { return (pointer([path[...]]), whole) }
      let steps = path.split(separator: ".")
      var here: Node? = node
      for step in steps { here = here?[String(step)] }
      if let here { return (pointer(steps), here) }
    }
    return nil
  }

  private static func pointer(_ steps: [Substring]) -> String {
    steps.map { "/\($0)" }.joined()
  }
}
