/// What one model has otherwise than another, as far as a store or its version hash can tell.
///
/// Transient properties, bounds, delete rules, indexes and notes are left out: a store with either model is the
/// same.
struct ModelDifferences {
  private let model: ManagedObjectModel
  private let other: ManagedObjectModel
  /// Where the models are from, as ends of sentences: `in the class`, `in Notes.xcdatamodeld`.
  private let places: (String, String)

  init(
    _ model: ManagedObjectModel, _ other: ManagedObjectModel, places: (String, String)
  ) {
    (self.model, self.other, self.places) = (model, other, places)
  }

  /// A sentence without its point for each difference, by the names of entities.
  var sentences: [String] {
    let names = Set(model.entityLayouts.map(\.name)).union(other.entityLayouts.map(\.name))
    return names.sorted().flatMap { name -> [String] in
      switch (model.layout(named: name), other.layout(named: name)) {
      case (let one?, let two?): differences(one, two)
      case (nil, _): ["\(name) is missing \(places.0)"]
      case (_, nil): ["\(name) is missing \(places.1)"]
      }
    }
  }

  private func differences(_ one: EntityLayout, _ two: EntityLayout) -> [String] {
    let (mine, theirs) = (Self.properties(of: one), Self.properties(of: two))
    let names = Set(mine.keys).union(theirs.keys).sorted()
    return compare(Self.traits(of: one), Self.traits(of: two), of: one.name)
      + names.flatMap { name -> [String] in
        let full = "\(one.name).\(name)"
        switch (mine[name], theirs[name]) {
        case (let a?, let b?): return compare(Self.traits(of: a), Self.traits(of: b), of: full)
        case (nil, _): return ["\(full) is missing \(places.0)"]
        case (_, nil): return ["\(full) is missing \(places.1)"]
        }
      }
  }

  private func compare(_ mine: [Trait], _ theirs: [Trait], of name: String) -> [String] {
    // An attribute and a relationship have different traits: the first one tells.
    for (a, b) in zip(mine, theirs) where a.name != b.name {
      return ["\(name) is \(a.value) \(places.0) and \(b.value) \(places.1)"]
    }
    return zip(mine, theirs).compactMap { a, b in
      if a.value == b.value { return nil }
      return "\(name) \(a.name) \(a.value) \(places.0) and \(b.value) \(places.1)"
    }
  }

  /// Something that is said of an entity or a property, with its verb: `leads to`, `Company`.
  private struct Trait {
    let name: String
    let value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The properties that a store keeps, by their names.
  private static func properties(of layout: EntityLayout) -> [String: PropertyDescription] {
    let own = layout.ownProperties.filter { $0.kind != .transient && !$0.isHidden }
    return Dictionary(own.map { ($0.name, $0.description) }) { first, _ in first }
  }

  private static func traits(of layout: EntityLayout) -> [Trait] {
    let constraints = layout.description.uniquenessConstraints.map {
      "(\($0.joined(separator: ", ")))"
    }
    return [
      Trait("is below", layout.superentity?.name ?? "nothing"),
      Trait("is", layout.isAbstract ? "abstract" : "concrete"),
      Trait("has unique", constraints.isEmpty ? "nothing" : constraints.sorted().joined()),
      Trait("has the modifier", layout.description.versionHashModifier ?? "nil"),
    ]
  }

  private static func traits(of property: PropertyDescription) -> [Trait] {
    switch property {
    case .attribute(let attribute): traits(of: attribute)
    case .relationship(let relationship): traits(of: relationship)
    }
  }

  private static func traits(of attribute: AttributeDescription) -> [Trait] {
    // Of a derived attribute the hash has the expression alone.
    if let derived = attribute.derived { return [Trait("is derived from", derived.source)] }
    return [
      Trait("is", attribute.type.displayName),
      Trait("is", attribute.isOptional ? "optional" : "required"),
      Trait(
        "is kept", attribute.allowsExternalBinaryDataStorage ? "in files, too," : "in its row"),
      Trait(
        "is", attribute.preservesValueInHistoryOnDeletion ? "kept after deletion" : "deleted"),
      Trait("has the modifier", attribute.versionHashModifier ?? "nil"),
    ]
  }

  private static func traits(of relationship: RelationshipDescription) -> [Trait] {
    let most = relationship.maxCount > 0 ? "\(relationship.maxCount)" : "any number"
    return [
      Trait(
        "leads to",
        relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination),
      Trait("has the inverse", relationship.inverse ?? "nil"),
      Trait("is", relationship.isOptional ? "optional" : "required"),
      Trait("is", relationship.isOrdered ? "ordered" : "not ordered"),
      Trait("leads to at least", "\(relationship.minCount)"),
      Trait("leads to at most", most),
      Trait("has the modifier", relationship.versionHashModifier ?? "nil"),
    ]
  }
}

extension ManagedObjectModel {
  /// What this model has otherwise than another one, as far as a store can tell; nothing where each opens the
  /// stores of the other.
  ///
  /// ```swift
  /// let frozen = try ManagedObjectModel(contentsOf: URL(filePath: "Notes.xcdatamodel"))
  /// for difference in try ManagedObjectModel.discovered().differences(from: frozen) { print(difference) }
  /// // Note.title is String here and Integer 16 there
  /// ```
  /// - Returns: A sentence for each difference, by the names of entities and properties.
  /// - Complexity: O(*n* log *n*) in the number of properties.
  public func differences(from other: ManagedObjectModel) -> [String] {
    differences(from: other, places: ("here", "there"))
  }

  /// - Parameter places: Where this model is from, and the other one.
  package func differences(
    from other: ManagedObjectModel, places: (String, String)
  ) -> [String] {
    ModelDifferences(self, other, places: places).sentences
  }
}
