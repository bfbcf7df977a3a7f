import CauldronGraph
package import CauldronModel

/// How an entity and all that its relationships lead to are imported: made once, from the model and the
/// options, and asked for each record.
package final class ImportPlan: Sendable {
  let model: ManagedObjectModel
  package let options: ImportOptions
  /// The name of the records' entity.
  package var name: String { entities[0].entity.name }
  /// The first is that of the records themselves.
  let entities: [EntityPlan]
  /// What is doubtful and does not keep the import from running.
  package let warnings: [String]

  /// Compiles a plan.
  /// - Parameter isKnown: Whether it is known already which object the record is, so that no key is needed.
  /// - Throws: `import.plan`, with all that is wrong with it.
  package init(
    _ entity: EntityLayout, _ model: ManagedObjectModel, _ options: ImportOptions,
    isKnown: Bool = false
  ) throws {
    self.model = model
    self.options = options
    var compiler = PlanCompiler(model, options)
    compiler.compile(entity, isKnown: isKnown)
    entities = try compiler.finished(entity)
    warnings = compiler.warnings
    extraKeys = entities.reduce(into: [:]) { keys, plan in
      for key in plan.extraKeys { keys[plan.entity.rootNumber, default: []].insert(key.number) }
    }
    foundBy = entities.reduce(into: [:]) { keys, plan in
      guard let unique = plan.key?.unique else { return }
      keys[plan.entity.rootNumber, default: []].insert(unique.number)
    }
    keys = entities.compactMap(\.key).reduce(into: []) { keys, key in
      if !keys.contains(where: { $0.place == key.place }) { keys.append(key) }
    }
    tellsOfSaves = entities.contains { $0.hooks.contains(.willSave) }
    movesKeys = entities.contains {
      !$0.sideKeys.isEmpty || $0.attributes.contains(where: \.isSideKey)
    }
    needsUndo =
      movesKeys || entities.contains(where: \.needsUndo) || Self.mayBecomeAmbiguous(entities)
    deletes = entities.contains { plan in
      plan.relationships.contains { $0.mapping.members == .replaceAndDelete }
    }
  }

  /// Whether a record can be refused after something of it was set.
  let needsUndo: Bool
  /// Whether records change values that objects are found by, or that are unique.
  let movesKeys: Bool
  /// Whether objects may be deleted in the end.
  let deletes: Bool
  /// By what objects are found, each once.
  let keys: [KeyPlan]
  /// The numbers of the unique keys that are looked at when a record is done, by root entity.
  let extraKeys: [Int32: Set<Int>]
  /// The numbers of the unique keys that objects are found by, by root entity.
  let foundBy: [Int32: Set<Int>]
  /// Whether objects are told that they will be saved.
  let tellsOfSaves: Bool

  /// Whether what is new to one family may be the second of its key in another.
  private static func mayBecomeAmbiguous(_ entities: [EntityPlan]) -> Bool {
    var families: [KeyPlace: EntityLayout] = [:]
    return entities.contains { plan in
      guard let key = plan.key, key.unique == nil else { return false }
      let other = families.updateValue(plan.family, forKey: key.place)
      return other.map { $0 !== plan.family } ?? false
    }
  }

  /// Whether a record of its own may come for an object, and be refused.
  func mayBeRefused(_ entity: EntityPlan) -> Bool {
    entity.family.rootNumber == entities[0].family.rootNumber
  }

  /// Whether the keys of all records have to be known before the first is imported.
  package var readsTwice: Bool {
    entities.contains { $0.relationships.contains { $0.mapping.unknown == .refuse } }
  }

  /// Whether records have to be kept as they were written.
  var keepsSources: Bool {
    entities.contains { $0.isAsked || !$0.imported.isEmpty }
  }
}

// MagicalRecord's keys, as model editors have noted them. What the model says by itself comes first.
extension AttributeDescription {
  /// Where imports find the value.
  var noted: AttributeImport {
    if userInfo.isEmpty || importing != AttributeImport() { return importing }
    var mapping = importing
    mapping.from = userInfo.names(name)
    mapping.dateFormats = userInfo.numbered("dateFormat").map {
      $0 == "UnixTime" ? .millisecondsSince1970 : .pattern($0)
    }
    if userInfo["useDefaultValueWhenNotPresent"].map(\.isTruth) == true {
      mapping.absent = .setDefault
    }
    mapping.isExcluded = userInfo["excludeFromImport"].map(\.isTruth) == true
    return mapping
  }
}

extension RelationshipDescription {
  /// Where imports find the objects.
  var noted: RelationshipImport {
    if userInfo.isEmpty || importing != RelationshipImport() { return importing }
    var mapping = importing
    mapping.from = userInfo.names(name)
    mapping.match = userInfo["relatedByAttribute"]
    mapping.isExcluded = userInfo["excludeFromImport"].map(\.isTruth) == true
    return mapping
  }
}

extension [String: String] {
  /// The names under which a value is found; none where that is the property's own alone.
  fileprivate func names(_ own: String) -> [String] {
    let all = numbered("mappedKeyName")
    return self["mappedKeyName"] == nil && !all.isEmpty ? [own] + all : all
  }

  /// The values of a key and of the same with `.1` to `.9`, as long as there are any.
  fileprivate func numbered(_ key: String) -> [String] {
    var all = self[key].map { [$0] } ?? []
    for number in 1...9 {
      guard let value = self["\(key).\(number)"] else { break }
      all.append(value)
    }
    return all
  }
}

extension String {
  fileprivate var isTruth: Bool { ["1", "yes", "true", "y", "t"].contains(lowercased()) }
}
