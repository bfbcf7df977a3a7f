import CauldronModel

/// The attribute by which the objects of an entity are found, and who has chosen it.
struct KeyChoice {
  let name: String
  /// Whether the class says so, which can see to it that the attribute is unique; what a model editor has
  /// noted, and what the options of an import say, is taken as it is.
  let mustBeUnique: Bool

  init(name: String, mustBeUnique: Bool) {
    self.name = name
    self.mustBeUnique = mustBeUnique
  }

  /// The key of an entity itself: what the options say, what it says, what a model editor has noted, its only
  /// unique attribute, or what MagicalRecord would take; nil where there is none.
  init?(own entity: EntityLayout, _ mapping: ImportMapping?) {
    if mapping?.alwaysInserts == true { return nil }
    if let key = mapping?.key {
      self.init(name: key, mustBeUnique: false)
      return
    }
    if let choice = Self.declared(entity) {
      self = choice
      return
    }
    let single = entity.uniqueKeys.filter {
      $0.properties.count == 1 && $0.properties[0].attributeType != nil
    }
    if single.count == 1 {
      self.init(name: single[0].names[0], mustBeUnique: true)
      return
    }
    let usual = entity.name.prefix(1).lowercased() + entity.name.dropFirst() + "ID"
    guard let index = entity.index(of: usual), entity.properties[index].attributeType != nil else {
      return nil
    }
    self.init(name: usual, mustBeUnique: false)
  }

  /// What the entity or one above it says, or what is noted of it.
  private static func declared(_ entity: EntityLayout) -> KeyChoice? {
    var step: EntityLayout? = entity
    while let layout = step {
      if let key = layout.description.importKey {
        // Only who writes the class can mark the attribute.
        let isOfClass = layout.description.managedObjectClass != nil
        return KeyChoice(name: key, mustBeUnique: isOfClass)
      }
      let info = layout.description.userInfo
      if let key = info["relatedByAttribute"] ?? info["distinctAttribute"] {
        return KeyChoice(name: key, mustBeUnique: false)
      }
      step = layout.superentity
    }
    return nil
  }
}
