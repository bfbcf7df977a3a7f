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
  /// Whether a record can be refused after something of it was set.
  let needsUndo: Bool

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
    needsUndo = entities.contains(where: \.needsUndo)
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
