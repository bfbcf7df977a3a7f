package import CauldronGraph
package import CauldronLedger
import CauldronModel
import CauldronSave

/// An import in a context of its own, driven from anywhere: chunks go in one after the other.
package final class ImportSession: Sendable {
  package let plan: ImportPlan
  package let context: ManagedObjectContext
  private let isPreview: Bool
  private let callSite: (file: String, line: Int)
  private let run: Confined

  /// What belongs to the context's queue.
  ///
  /// `@unchecked Sendable` because it is touched on that queue alone.
  private final class Confined: @unchecked Sendable {
    var run: ImportRun?
  }

  /// - Parameters:
  ///   - parent: Where the import is saved to.
  ///   - callSite: The line of the program that asked for the import.
  package init(
    _ plan: ImportPlan, parent: ManagedObjectContext, isPreview: Bool = false,
    at callSite: (file: String, line: Int)
  ) {
    self.plan = plan
    self.isPreview = isPreview
    self.callSite = callSite
    context = ManagedObjectContext(
      .private, parent: parent, name: "Import of \(plan.entities[0].entity.name)")
    run = Confined()
  }

  /// Imports a chunk; with `commitEvery` what was imported so far is saved now and then.
  package func take(_ chunk: ImportChunk, _ keys: ImportKeys?) async throws {
    if chunk.count == 0 { return }
    let isFull = try await context.perform { [self] local in
      let run = current(local.context)
      run.announce(keys)
      try run.take(chunk)
      let open = run.report.records - run.report.committed
      guard !isPreview, let most = plan.options.commitEvery, open >= most else { return false }
      return try run.mayCommit()
    }
    guard isFull else { return }
    let outcome = try await save()
    await context.perform { [self] local in
      let run = current(local.context)
      run.noteCommit(outcome)
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
      if isPreview { local.rollback() } else { run.noteCommit(outcome) }
      return run.report
    }
  }

  /// What was imported so far.
  package func report() async -> ImportReport {
    await context.perform { [self] local in current(local.context).report }
  }

  private func save() async throws -> SaveOutcome {
    try Task.checkCancellation()
    let run = context.announceSave(
      plan.options.mergePolicy, named: nil, isRepeated: false, after: nil, again: "import again",
      file: callSite.file, line: callSite.line)
    return try await context.finish(run)
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

/// Has imports wait for one another that match by attributes which nothing keeps unique: otherwise two of them
/// would each create what the other has not saved yet.
package actor ImportGate {
  package static let shared = ImportGate()

  private struct Place: Hashable, Comparable {
    let coordinator: ObjectIdentifier
    let entity: Int32

    static func < (a: Place, b: Place) -> Bool { a.entity < b.entity }
  }

  private var busy: Set<Place> = []
  private var waiting: [Place: [CheckedContinuation<Void, Never>]] = [:]

  /// Runs an import when no other one may create the same.
  package func pass<Value: Sendable>(
    _ plan: ImportPlan, _ coordinator: PersistentStoreCoordinator,
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    let entities = plan.entities.filter { $0.key.map { $0.unique == nil } ?? false }
    let places = Set(
      entities.map {
        Place(coordinator: ObjectIdentifier(coordinator), entity: $0.family.rootNumber)
      })
    // In one order, so that two never wait for each other.
    for place in places.sorted() { await enter(place) }
    defer { for place in places { leave(place) } }
    try Task.checkCancellation()
    return try await work()
  }

  private func enter(_ place: Place) async {
    guard !busy.insert(place).inserted else { return }
    // Who leaves hands the place on.
    await withCheckedContinuation { waiting[place, default: []].append($0) }
  }

  private func leave(_ place: Place) {
    guard var queue = waiting[place], !queue.isEmpty else {
      busy.remove(place)
      return
    }
    let next = queue.removeFirst()
    waiting[place] = queue.isEmpty ? nil : queue
    next.resume()
  }
}
