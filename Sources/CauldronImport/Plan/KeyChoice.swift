import CauldronModel

/// The attribute by which the objects of an entity are found, and who has chosen it.
struct KeyChoice {
  let name: String
  /// Whether the class says so, which can see to it that the attribute is unique; what a model editor has
  /// noted, and what the options of an import say, is taken as it is.
  let mustBeUnique: Bool
  /// Whether the attribute's name alone makes it the key, which is no reason for a warning.
  var isUsual = false

  /// The key of an entity itself: by the options, by its own mark, by a model editor's note, its
  /// only unique attribute, or MagicalRecord's choice; nil where there is none.
  static func own(
    of entity: EntityLayout, mapping: ImportMapping?, warn: (String) -> Void
  ) -> KeyChoice? {
    if mapping?.alwaysInserts == true { return nil }
    if let key = mapping?.key { return KeyChoice(name: key, mustBeUnique: false) }
    if let choice = declared(for: entity, warn: warn) { return choice }
    let single = entity.uniqueKeys.filter {
      $0.properties.count == 1 && $0.properties[0].attributeType != nil
    }
    if single.count == 1 { return KeyChoice(name: single[0].names[0], mustBeUnique: true) }
    return usual(entity)
  }

  /// `personID` of a Person and of the entities below it, which need not be unique.
  private static func usual(_ entity: EntityLayout) -> KeyChoice? {
    var step: EntityLayout? = entity
    while let layout = step {
      let name = layout.name.prefix(1).lowercased() + layout.name.dropFirst() + "ID"
      if layout.hasAttribute(name) {
        return KeyChoice(name: name, mustBeUnique: false, isUsual: true)
      }
      step = layout.superentity
    }
    return nil
  }

  /// The key that the entity or one above it has a mark or a note for.
  private static func declared(for entity: EntityLayout, warn: (String) -> Void) -> KeyChoice? {
    var step: EntityLayout? = entity
    while let layout = step {
      if let key = layout.description.importKey {
        // Only the author of the class can mark the attribute.
        let isOfClass = layout.description.managedObjectClass != nil
        return KeyChoice(name: key, mustBeUnique: isOfClass)
      }
      let info = layout.description.userInfo
      if let key = info["relatedByAttribute"] ?? info["distinctAttribute"] {
        if entity.hasAttribute(key) { return KeyChoice(name: key, mustBeUnique: false) }
        warn(
          "\(layout.name) is noted to be found by \"\(key)\", and has no such attribute; that is ignored."
        )
      }
      step = layout.superentity
    }
    return nil
  }
}

extension EntityLayout {
  /// Whether objects of the entity have an attribute with a name.
  func hasAttribute(_ name: String) -> Bool {
    index(of: name).map { properties[$0].attributeType != nil } ?? false
  }

  /// Whether objects of the entity have a relationship with a name.
  func hasRelationship(_ name: String) -> Bool {
    index(of: name).map { properties[$0].destination != nil } ?? false
  }
}

/// Objects, named by what identifies them in an import.
struct KeyRef: Hashable {
  let place: KeyPlace
  let value: AttributeScalar

  init(_ place: KeyPlace, _ value: AttributeScalar) {
    self.place = place
    self.value = value
  }

  init(_ key: KeyPlan, _ value: AttributeScalar) {
    place = KeyPlace(key)
    self.value = value
  }

  init(_ attribute: AttributePlan, _ value: AttributeScalar) {
    place = KeyPlace(entity: attribute.scope, property: Int32(attribute.index))
    self.value = value
  }
}

/// By what objects are found.
struct KeyPlace: Hashable {
  /// The number of the entity that declares the attribute.
  let entity: Int32
  let property: Int32

  init(entity: Int32, property: Int32) {
    self.entity = entity
    self.property = property
  }

  init(_ key: KeyPlan) {
    entity = key.scope.number
    property = Int32(key.property.index)
  }
}
