import CauldronGraph
package import CauldronModel

/// How an entity and all that its relationships lead to are imported: made once, from the model and the
/// options, and asked for each record.
package final class ImportPlan: Sendable {
  let model: ManagedObjectModel
  package let options: ImportOptions
  /// The first is that of the records themselves.
  let entities: [EntityPlan]
  /// What is doubtful and does not keep the import from running.
  package let warnings: [String]

  /// Compiles a plan.
  /// - Throws: `import.plan`, with all that is wrong with it.
  package init(
    _ entity: EntityLayout, _ model: ManagedObjectModel, _ options: ImportOptions
  ) throws {
    self.model = model
    self.options = options
    var compiler = PlanCompiler(model, options)
    compiler.compile(entity)
    entities = try compiler.finished(entity)
    warnings = compiler.warnings
    movesKeys = entities.contains { $0.attributes.contains(where: \.isSideKey) }
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

  /// Whether what is new to one family may be the second of its key in another.
  private static func mayBecomeAmbiguous(_ entities: [EntityPlan]) -> Bool {
    var families: [KeyPlace: EntityLayout] = [:]
    return entities.contains { plan in
      guard let key = plan.key, key.unique == nil else { return false }
      let other = families.updateValue(plan.family, forKey: KeyPlace(key))
      return other.map { $0 !== plan.family } ?? false
    }
  }

  /// Whether the keys of all records have to be known before the first is imported.
  package var readsTwice: Bool {
    entities.contains { $0.relationships.contains { $0.mapping.unknown == .refuse } }
  }

  /// Whether records have to be kept as they were written.
  var keepsSources: Bool {
    entities.contains { $0.hooks.contains(.importing) || !$0.imported.isEmpty }
  }
}
