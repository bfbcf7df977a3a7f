import CauldronModel
import Foundation

/// The way of a store through the former versions that a plan lists.
extension StoreMigration {
  /// The migrations to each later version, and to the present model.
  func stages(from metadata: StoreMetadata) throws -> [StoreMigration] {
    let versions = permission.plan.versions
    let present = versions.lastIndex { metadata.differences(from: $0.model).isEmpty }
    guard let present else { return [self] }
    return try versions[(present + 1)...].map { version in
      var stage = self
      stage.planned = try StoreSchema(model: version.model)
      stage.permission = MigrationPermission(
        discarding: version.discarding, plan: MigrationPlan(steps: version.steps))
      return stage
    } + [self]
  }

  /// What all stages would do, and what is in their way. Reads only, so that of the stages behind the
  /// first one it tells what models alone can tell.
  func prospect(_ metadata: StoreMetadata) throws -> (MigrationReport, MigrationStatements) {
    let stages = try stages(from: metadata)
    guard let first = stages.first else { throw noSource() }
    var (report, plan, _) = try first.prepare(metadata)
    for (before, stage) in zip(stages, stages.dropFirst()) {
      report.add(stage.outlook(from: before.planned.model))
    }
    return (report, plan)
  }

  /// What the models alone tell.
  private func outlook(from source: ManagedObjectModel) -> MigrationReport {
    let mapping = ModelMapping(source: source, destination: planned.model)
    let selection = permission.plan.selection([], in: source)
    let steps = selection.due
    let losses = MigrationLosses(
      mapping: mapping, permission: permission.allowing(steps), steps: selection, counts: [:])
    var report = MigrationReport(store: file.url.lastPathComponent, changes: mapping.changes)
    report.steps = steps.map(\.name)
    report.skippedSteps = selection.skipped.map(\.description)
    report.losses = losses.all.map {
      MigrationForecast.Loss(name: $0.name, count: nil, isAllowed: $0.isAllowed)
    }
    report.problems =
      MigrationProblems(mapping: mapping, hasSteps: !steps.isEmpty).found + losses.refused
    return report
  }
}
