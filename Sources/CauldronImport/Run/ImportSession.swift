package import CauldronGraph
import CauldronModel

/// An import in a context of its own, driven from anywhere: chunks go in one after the other.
package final class ImportSession: Sendable {
  package let plan: ImportPlan
  package let context: ManagedObjectContext
  private let isPreview: Bool
  private let run: Confined

  /// What belongs to the context's queue.
  ///
  /// `@unchecked Sendable` because it is touched on that queue alone.
  private final class Confined: @unchecked Sendable {
    var run: ImportRun?
  }

  /// - Parameter parent: Where the import is saved to.
  package init(_ plan: ImportPlan, parent: ManagedObjectContext, isPreview: Bool = false) {
    self.plan = plan
    self.isPreview = isPreview
    context = ManagedObjectContext(
      .private, parent: parent, name: "Import of \(plan.entities[0].entity.name)")
    run = Confined()
  }

  /// Imports a chunk; with `commitEvery` what was imported so far is saved now and then.
  package func take(_ chunk: ImportChunk, _ keys: ImportKeys?) async throws {
    if chunk.count == 0 { return }
    let isFull = try await context.perform { [self] local in
      let run = current(local.context)
      run.announced = keys
      try run.take(chunk)
      let open = run.report.records - run.report.committed
      guard !isPreview, let most = plan.options.commitEvery, open >= most else { return false }
      return try run.mayCommit()
    }
    guard isFull else { return }
    let outcome = try await save()
    await context.perform { [self] local in
      let run = current(local.context)
      run.report.outcome = outcome
      run.noteCommit()
      local.context.reset()
    }
  }

  /// Ends the import and saves it.
  package func finish() async throws -> ImportReport {
    try await context.perform { [self] local in try current(local.context).finish() }
    try Task.checkCancellation()
    let outcome = isPreview ? nil : try await save()
    return await context.perform { [self] local in
      let run = current(local.context)
      if isPreview { local.rollback() } else { run.noteCommit() }
      run.report.outcome = outcome ?? run.report.outcome
      return run.report
    }
  }

  /// What was imported so far.
  package func report() async -> ImportReport {
    await context.perform { [self] local in current(local.context).report }
  }

  private func save() async throws -> SaveOutcome {
    try await context.save(toPersistentStore: true, mergePolicy: plan.options.mergePolicy)
  }

  /// Where to go on behind what is saved; nil where nothing is.
  package func resumption() async -> String? {
    let committed = await report().committed
    guard committed > 0 else { return nil }
    let saved = plan.options.skipping + committed
    return "The first \(saved) records are saved; go on behind them with skipping: \(saved)."
  }

  private func current(_ context: ManagedObjectContext) -> ImportRun {
    if let run = run.run { return run }
    let made = ImportRun(plan, context, isPreview: isPreview)
    run.run = made
    return made
  }
}
