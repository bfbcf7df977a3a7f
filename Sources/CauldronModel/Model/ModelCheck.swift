/// Finds what a store could not be made for, in all entities before anything is refused.
package struct ModelCheck {
  private var findings: [String] = []
  /// What has each name that SQLite knows, which tells no capitals from small letters.
  private var names: [String: String] = [:]
  /// The columns of each table, by the number of its root.
  private var columns: [Int32: Int] = [:]
  private var roots: [EntityLayout] = []

  /// SQLite's default limit (https://www.sqlite.org/limits.html#max_column).
  private static let greatestColumnCount = 2_000

  /// The most superentities of an entity: what goes through a hierarchy may take it for shallow, and no
  /// copy of a model with more is read.
  package static let mostSuperentities = 100

  /// Checks an entity; superentities come before their subentities.
  mutating func add(_ entity: EntityLayout) {
    if entity.superentity == nil {
      roots.append(entity)
      names["Z\(entity.name.uppercased())".lowercased()] = "the table of \(entity.name)"
    }
    let own = entity.ownProperties
    checkDepth(entity)
    checkName(entity.name, of: "an entity")
    for property in own {
      checkName(property.name, of: "\(entity.name): a property")
      checkColumn(property, of: entity)
      checkPlace(property, of: entity)
      checkCounts(property, of: entity)
      checkRules(property, of: entity)
      if let problem = DerivationCheck(property, of: entity).problem { findings.append(problem) }
    }
    // Key, entity and version; then a column for each property, and one for some entity numbers.
    let count = own.reduce(0) { $0 + ($1.hasColumn ? 1 : 0) + $1.companions.count }
    columns[entity.rootNumber, default: 3] += count
    var seen: Set<[String]> = []
    for constraint in entity.description.uniquenessConstraints {
      check(constraint, of: entity, isRepeated: !seen.insert(constraint).inserted)
    }
    for index in entity.description.indexes { check(index, of: entity) }
  }

  /// - Throws: `model.invalid` with everything that was found.
  mutating func finish() throws {
    for root in roots where columns[root.number, default: 0] > Self.greatestColumnCount {
      findings.append(
        "\(root.name): its table would have \(columns[root.number, default: 0]) columns, subentities"
          + " included; at most \(Self.greatestColumnCount) are possible")
    }
    // A NUL would end the message for whoever prints it.
    let findings = findings.map { $0.replacing("\0", with: "\\0") }
    if let error = CauldronError.modelInvalid(findings) { throw error }
  }

  private mutating func checkDepth(_ entity: EntityLayout) {
    var depth = 0
    var next = entity.superentity
    while let parent = next, depth <= Self.mostSuperentities {
      depth += 1
      next = parent.superentity
    }
    // One below it is one finding, and not all that are further below.
    if depth == Self.mostSuperentities + 1, next == nil {
      findings.append("\(entity.name) has more than \(Self.mostSuperentities) superentities")
    }
  }

  private mutating func checkName(_ name: String, of what: String) {
    if name.isEmpty { findings.append("\(what) has no name") }
    if name.utf8.contains(0) {
      findings.append("\(what) is named \"\(name)\", with a NUL in it")
    }
  }

  /// A name with a point is that of an element.
  private mutating func checkPlace(_ property: PropertyLayout, of entity: EntityLayout) {
    guard let point = property.name.lastIndex(of: "."),
      let whole = entity.index(of: String(property.name[..<point])),
      case .attribute(let composite) = entity.properties[whole].description,
      composite.type == .composite,
      !composite.elements.contains(where: { "\(composite.name).\($0.name)" == property.name })
    else { return }
    findings.append(
      "\(entity.name).\(property.name): it is named like an element of \(composite.name), and is none"
    )
  }

  /// What has no column is in memory alone.
  private mutating func checkColumn(_ property: PropertyLayout, of entity: EntityLayout) {
    guard case .attribute(let attribute) = property.description else { return }
    let name = "\(entity.name).\(property.name)"
    if attribute.type == .undefined, !attribute.isTransient {
      findings.append("\(name): it has no type; give it one, or make it transient")
    }
    if attribute.type == .composite, attribute.elements.isEmpty {
      findings.append("\(name): a composite attribute has elements, and this one has none")
    }
    for element in attribute.elements where element.name.isEmpty || element.name.contains(".") {
      findings.append("\(name): an element is named \"\(element.name)\"; name it without a point")
    }
    if attribute.depth > AttributeDescription.greatestDepth {
      findings.append(
        "\(name): more than \(AttributeDescription.greatestDepth) composites stand in one another")
    }
    if attribute.type != .composite, !attribute.elements.isEmpty {
      findings.append("\(name): it has elements, and is \(attribute.type.displayName)")
    }
  }

  private mutating func checkCounts(_ property: PropertyLayout, of entity: EntityLayout) {
    guard case .relationship(let relationship) = property.description, !relationship.isTransient
    else { return }
    let (least, most) = (relationship.minCount, relationship.maxCount)
    let name = "\(entity.name).\(property.name)"
    if relationship.isToMany == (most == 1) {
      let kind = relationship.isToMany ? "to-many" : "to-one"
      findings.append("\(name): a \(kind) relationship cannot have maxCount \(most)")
    } else if least < 0 || most < -1 || (most > 0 && least > most) {
      findings.append("\(name): no number is from minCount \(least) to maxCount \(most)")
    }
  }

  private mutating func checkRules(_ property: PropertyLayout, of entity: EntityLayout) {
    guard case .attribute(let attribute) = property.description else { return }
    for text in RuleTest.misfits(of: attribute) {
      findings.append("\(entity.name).\(property.name): \(text)")
    }
  }

  private mutating func check(_ constraint: [String], of entity: EntityLayout, isRepeated: Bool) {
    let list = constraint.joined(separator: ", ")
    if constraint.isEmpty {
      return findings.append("\(entity.name): a uniqueness constraint names no property")
    }
    if isRepeated {
      return findings.append("\(entity.name): the uniqueness constraint (\(list)) is there twice")
    }
    checkProperties(constraint, in: "uniqueness constraint", of: entity)
    // Stores name the index so; other parts may make up the same name.
    let index = "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))"
    take(index, for: "the uniqueness constraint (\(list)) of \(entity.name)")
  }

  private mutating func check(_ index: IndexDescription, of entity: EntityLayout) {
    checkName(index.name, of: "\(entity.name): an index")
    // Core Data makes none of what it keeps no column of.
    if index.properties.contains(where: { entity.hasNoColumn(for: $0) }) { return }
    if index.properties.isEmpty {
      return findings.append("\(entity.name): the index \"\(index.name)\" names no property")
    }
    checkProperties(index.properties, in: "index", of: entity)
    let list = index.properties.joined(separator: ", ")
    take("Z_\(entity.name)_\(index.name)", for: "the index (\(list)) of \(entity.name)")
  }

  private mutating func checkProperties(
    _ properties: [String], in what: String, of entity: EntityLayout
  ) {
    if Set(properties).count < properties.count {
      let list = properties.joined(separator: ", ")
      findings.append("\(entity.name): the \(what) (\(list)) names a property twice")
    }
    let article = what.hasPrefix("i") ? "an" : "a"
    for name in properties {
      if let index = entity.index(of: name), entity.properties[index].hasColumn { continue }
      findings.append(
        "\(entity.name): \(article) \(what) names \"\(name)\", which is no stored property")
    }
  }

  /// Notes the name that stores give an index.
  private mutating func take(_ name: String, for what: String) {
    if let other = names.updateValue(what, forKey: name.lowercased()) {
      findings.append("\(other) and \(what) would both be named \(name)")
    }
  }
}

extension EntityLayout {
  /// Whether a name is that of a to-many relationship, or of a composite attribute.
  fileprivate func hasNoColumn(for name: String) -> Bool {
    index(of: name).map { properties[$0].kind == .toMany || properties[$0].isComposite } ?? false
  }
}

/// Says why a derived attribute cannot be what it is declared as.
///
/// Expressions that this library does not compute are no mistake: a store may have triggers for them.
struct DerivationCheck {
  private let property: PropertyLayout
  private let entity: EntityLayout

  init(_ property: PropertyLayout, of entity: EntityLayout) {
    self.property = property
    self.entity = entity
  }

  /// What is wrong, with what would be right; nil for what is not derived, and for what can be.
  var problem: String? {
    guard case .attribute(let attribute) = property.description,
      let derived = entity.derivation(of: attribute),
      let reason = mistake(in: derived, of: attribute) ?? wrongAttribute(attribute)
    else { return nil }
    return "\(entity.name).\(property.name): it cannot be derived from"
      + " \"\(attribute.derivation ?? "")\": \(reason)"
  }

  private func mistake(
    in derived: Derivation, of attribute: AttributeDescription
  ) -> String? {
    switch derived {
    case .count(let name):
      return wrongRelationship(name, kind: .toMany)
        ?? wrongType(
          attribute,
          allowed: [
            .integer16, .integer32, .integer64,
          ])
    case .sum(let value, let name):
      return wrongRelationship(name, kind: .toMany) ?? manyToMany(name)
        ?? wrongValue(value, at: name, for: attribute)
    case .value(let value, let name):
      return wrongRelationship(name, kind: .toOne) ?? wrongValue(value, at: name, for: attribute)
    case .now: return wrongType(attribute, allowed: [.date])
    // A store may have triggers for another expression.
    case .own, .other: return nil
    }
  }

  private func wrongRelationship(_ name: String, kind: PropertyLayout.Kind) -> String? {
    if let index = entity.index(of: name), entity.properties[index].kind == kind { return nil }
    let word = kind == .toMany ? "to-many" : "to-one"
    return "\(entity.name) has no \(word) relationship \"\(name)\"; \(remedy(kind))"
  }

  private func manyToMany(_ name: String) -> String? {
    guard let index = entity.index(of: name), entity.properties[index].isManyToMany else {
      return nil
    }
    return "the inverse of \"\(name)\" is to-many, too; sum over one whose inverse is to-one"
  }

  private func remedy(_ kind: PropertyLayout.Kind) -> String {
    let names = entity.declaredProperties.filter { $0.kind == kind }.map { "\"\($0.name)\"" }
    return names.isEmpty ? "declare one" : "it has \(names.joined(separator: ", "))"
  }

  private func wrongValue(
    _ name: String, at relationship: String, for attribute: AttributeDescription
  ) -> String? {
    let end = entity.index(of: relationship).flatMap { entity.properties[$0].destination?.entity }
    guard let end, let index = end.index(of: name),
      case .attribute(let type) = end.properties[index].kind
    else { return "\(relationship) leads to what has no stored attribute \"\(name)\"" }
    return type.storageClass == attribute.type.storageClass
      ? nil
      : "it is \(attribute.type.displayName), and \(end.name).\(name) is \(type.displayName)"
  }

  private func wrongType(
    _ attribute: AttributeDescription, allowed types: [AttributeType]
  ) -> String? {
    guard !types.contains(attribute.type), let right = types.last else { return nil }
    return "it is \(attribute.type.displayName); make it \(right.displayName)"
  }

  private func wrongAttribute(_ attribute: AttributeDescription) -> String? {
    if !attribute.hasColumn { return "it is transient; let the store keep it" }
    if case .none = attribute.defaultValue {
    } else {
      return "it has a default value; leave that out"
    }
    if !attribute.rules.isEmpty { return "it has rules, which no save could keep; leave them out" }
    let isUnique = entity.family.contains {
      $0.entity.description.uniquenessConstraints.contains { $0.contains(property.name) }
    }
    return isUnique ? "it is to be unique; leave it out of the uniqueness constraint" : nil
  }
}
