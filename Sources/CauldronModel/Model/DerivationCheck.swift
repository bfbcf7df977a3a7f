/// Says why a store could not compute a derived attribute.
///
/// Triggers are written exactly as Core Data writes them, so that both may use a file. How it writes
/// those of other expressions nobody here has seen.
struct DerivationCheck {
  private let property: PropertyLayout
  private let entity: EntityLayout

  init(_ property: PropertyLayout, _ entity: EntityLayout) {
    self.property = property
    self.entity = entity
  }

  /// What is wrong, with what would be right; nil for what is not derived, and for what can be.
  var problem: String? {
    guard case .attribute(let attribute) = property.description,
      let derivation = attribute.derivation, let reason = reason(attribute)
    else { return nil }
    return "\(entity.name).\(property.name): it cannot be derived from \"\(derivation)\": \(reason)"
  }

  private func reason(_ attribute: AttributeDescription) -> String? {
    guard let name = attribute.countedRelationship else {
      return "only the count of a to-many relationship is supported, such as \"\(example).@count\""
    }
    return wrongRelationship(name) ?? wrongAttribute(attribute)
  }

  private func wrongRelationship(_ name: String) -> String? {
    guard let index = entity.index(of: name), entity.properties[index].kind == .toMany else {
      return "\(entity.name) has no to-many relationship \"\(name)\"; \(remedy(name))"
    }
    if entity.properties[index].isManyToMany {
      return "the inverse of \"\(name)\" is to-many, too; count one whose inverse is to-one"
    }
    if entity.properties[index].destination?.entity.rootNumber == entity.rootNumber {
      return "\"\(name)\" leads to the table of \(entity.name) itself; count objects of another one"
    }
    if entity.superentity != nil {
      return "\(entity.name) is a subentity; declare the attribute in \(entity.root.name)"
    }
    return nil
  }

  private func remedy(_ name: String) -> String {
    if toManyNames.isEmpty { return "declare one" }
    return "it has \(toManyNames.map { "\"\($0)\"" }.joined(separator: ", "))"
  }

  private func wrongAttribute(_ attribute: AttributeDescription) -> String? {
    if attribute.isTransient { return "it is transient; let the store keep it" }
    if ![.integer16, .integer32, .integer64].contains(attribute.type) {
      return "it is \(attribute.type.displayName); make it Integer 64"
    }
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

  private var toManyNames: [String] {
    entity.properties.filter { $0.kind == .toMany }.map(\.name)
  }

  private var example: String { toManyNames.first ?? "items" }
}

extension PropertyLayout {
  /// Whether both ends lead to many objects.
  fileprivate var isManyToMany: Bool {
    guard let destination else { return false }
    return destination.entity.properties[destination.inverse].kind == .toMany
  }
}
