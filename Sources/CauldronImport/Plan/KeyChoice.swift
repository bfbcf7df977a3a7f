import CauldronModel

/// The attributes by which the objects of an entity are found, and what has chosen them.
struct KeyChoice {
  /// One, or several that are unique together.
  let names: [String]
  /// Whether the class says so, which can see to it that the attribute is unique; what a model editor has
  /// noted, and what the options of an import say, is taken as it is.
  let mustBeUnique: Bool
  /// Whether the attribute's name alone makes it the key, which is no reason for a warning.
  var isUsual = false

  init(name: String, mustBeUnique: Bool, isUsual: Bool = false) {
    names = [name]
    self.mustBeUnique = mustBeUnique
    self.isUsual = isUsual
  }

  private init(_ key: UniqueKey) {
    names = key.names
    mustBeUnique = true
  }

  /// The key of an entity itself: by the options, by its own mark, by a model editor's note, its
  /// only unique attribute, MagicalRecord's choice, or the only attributes that are unique together;
  /// nil where there is none.
  static func own(
    of entity: EntityLayout, mapping: ImportMapping?, warn: (String) -> Void
  ) -> KeyChoice? {
    if mapping?.alwaysInserts == true { return nil }
    if let key = mapping?.key { return KeyChoice(name: key, mustBeUnique: false) }
    if let choice = declared(for: entity, warn: warn) { return choice }
    let unique = entity.uniqueKeys.filter { $0.properties.allSatisfy { $0.attributeType != nil } }
    let single = unique.filter { $0.properties.count == 1 }
    if single.count == 1 { return KeyChoice(single[0]) }
    if let choice = usual(entity) { return choice }
    // Which of several is meant, nothing says.
    let together = unique.filter { $0.properties.allSatisfy { $0.derivation == nil } }
    return single.isEmpty && together.count == 1 ? KeyChoice(together[0]) : nil
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
