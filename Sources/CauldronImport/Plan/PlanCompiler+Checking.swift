import CauldronGraph
import CauldronModel

// What is said of imports and cannot be meant.
extension PlanCompiler {
  /// Finds what the options name and the model does not have.
  mutating func checkMappings() {
    for (name, mapping) in options.mappings.sorted(by: { $0.key < $1.key }) {
      guard let entity = model.layout(named: name) else {
        problems.append(
          "there is no entity \"\(name)\". "
            + Suggestion.hint(for: name, among: model.entityLayouts.map(\.name)))
        continue
      }
      // What is said of an entity counts for those below it, which have more.
      let family = model.entityLayouts.filter { $0.isKind(of: entity) }
      for attribute in mapping.attributes.keys.sorted()
      where !family.contains(where: { $0.hasAttribute(attribute) }) {
        note(attribute, isNo: "attribute", of: entity) { $0.attributeType != nil }
      }
      for relationship in mapping.relationships.keys.sorted()
      where !family.contains(where: { $0.hasRelationship(relationship) }) {
        note(relationship, isNo: "relationship", of: entity) { $0.destination != nil }
      }
      if mapping.alwaysInserts, let key = mapping.key {
        problems.append("\(name) is to be found by \"\(key)\", and every record to be a new object")
      }
    }
  }

  private mutating func note(
    _ name: String, isNo kind: String, of entity: EntityLayout, isOne: (PropertyLayout) -> Bool
  ) {
    problems.append(
      "\(entity.name) has no \(kind) \"\(name)\". "
        + Suggestion.hint(for: name, among: entity.declaredProperties.filter(isOne).map(\.name)))
  }

  /// Finds functions of a class that import what is never imported.
  mutating func checkFunctions(_ entity: EntityLayout) {
    for name in imported(entity).sorted() {
      guard let index = entity.index(of: name) else {
        problems.append(
          "\(entity.name) has a function that imports \"\(name)\", and no such property")
        continue
      }
      let property = entity.properties[index]
      if let why = reason(for: property, in: entity) {
        let owner = entity.owner(of: property).name
        problems.append("\(owner).\(name) \(why), and has a function that imports it")
      }
    }
  }

  /// Why a property is never imported; nil for what may be.
  private func reason(for property: PropertyLayout, in entity: EntityLayout) -> String? {
    let mapping = mapping(of: entity)
    switch property.description {
    case .attribute(let attribute):
      if attribute.type == .composite { return "is composite; name one of its elements" }
      if attribute.isTransient { return "is transient" }
      if attribute.derivation != nil { return "is derived" }
      let isExcluded = attribute.noted.isExcluded && mapping?.attributes[property.name] == nil
      return isExcluded ? "is not imported" : nil
    case .relationship(let relationship):
      let isExcluded =
        relationship.noted.isExcluded && mapping?.relationships[property.name] == nil
      return isExcluded ? "is not imported" : nil
    }
  }

  mutating func check(
    _ mapping: AttributeImport, chosen: AttributeImport?, of attribute: AttributeDescription,
    property: PropertyLayout, at place: String
  ) {
    if mapping.absent == .setNil, property.isRequired {
      problems.append("\(place) is required, and cannot be set to nil")
    }
    // What is only noted of other attributes was ignored by MagicalRecord.
    let formats = chosen.map(\.dateFormats) ?? []
    if attribute.type != .date, !(formats + attribute.importing.dateFormats).isEmpty {
      problems.append("\(place) is no date, and has a form for dates")
    }
    for case .pattern(let pattern) in mapping.dateFormats where pattern.isEmpty {
      problems.append("\(place) has an empty pattern for dates")
    }
  }
}

extension PlanCompiler {
  /// Finds to-one relationships that would delete at once what a later record may link.
  mutating func checkReplacing(
    _ property: PropertyLayout, by mapping: RelationshipImport, at place: String, hasKey: Bool
  ) {
    guard mapping.members == .replaceAndDelete, property.kind == .toOne, hasKey,
      let destination = property.destination
    else { return }
    let inverse = destination.entity.properties[destination.inverse]
    guard inverse.kind == .toOne, inverse.isRequired else { return }
    problems.append(
      "\(place) cannot delete what is replaced: it must lead back, and a later record may link it by its key"
    )
  }

  /// Finds names of records and of plain values that lead nowhere.
  mutating func checkRecords(_ plan: EntityPlan) {
    let (names, values) = (options.records.names, options.records.values)
    if let names, names == values {
      problems.append("records are to have their names and their values as \"\(names)\"")
    }
    let plans = [plan] + (plan.choice?.plans.values.map(self.plan(at:)) ?? [])
    if plans.contains(where: \.takesWholeRecords) { return }
    for name in [names, values].compactMap(\.self)
    where !plans.contains(where: { $0.takes(name) }) {
      problems.append("no property of \(plan.entity.name) is imported from \"\(name)\"")
    }
  }
}

extension RelationshipImport {
  /// Whether nothing is said of where the objects are found, and what becomes of them.
  var saysNothing: Bool {
    from.isEmpty && transform == nil && match == nil && subentity == nil && members == .merge
      && unknown == .stub
  }
}

extension PlanCompiler {
  /// What the options say of an entity, and of those above it.
  func mapping(of entity: EntityLayout) -> ImportMapping? {
    if options.mappings.isEmpty { return nil }
    let above = entity.superentity.flatMap(mapping)
    guard let own = options.mappings[entity.name] else { return above }
    return above.map(own.over) ?? own
  }
}

extension ImportMapping {
  /// The same, completed by the superentity's mapping where this one says nothing.
  fileprivate func over(_ other: ImportMapping) -> ImportMapping {
    var merged = self
    if key == nil, !alwaysInserts {
      (merged.key, merged.alwaysInserts) = (other.key, other.alwaysInserts)
    }
    merged.attributes.merge(other.attributes) { $0.over($1) }
    merged.relationships.merge(other.relationships) { $0.over($1) }
    return merged
  }
}
