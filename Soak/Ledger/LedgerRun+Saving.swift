import Cauldron
import Foundation

extension LedgerRun {
  /// Makes one save by its way, and notes what it was told.
  func save(_ job: LedgerJob) async throws {
    switch job.way {
    case .stack: try await saveInStack(job)
    case .main:
      if job.number % 5 == 0 {
        stack.defaultContext.automaticallyMergesChangesFromParent = job.number % 10 == 0
      }
      try await saveAtOnce(job, in: stack.defaultContext)
    case .sibling, .rolledBack: try await saveAtOnce(job, in: sibling)
    case .staleSibling: try await saveAtOnce(job, in: staleSibling)
    case .childOfMain: try await saveLater(job, in: .contextWithParent(stack.defaultContext))
    case .childOfRoot, .discarded:
      try await saveLater(job, in: .contextWithParent(stack.rootSavingContext))
    case .childOfSecondRoot: try await saveLater(job, in: .contextWithParent(secondRoot))
    case .secondRoot:
      let context = ManagedObjectContext(.private, coordinator: stack.coordinator, name: "Root")
      try await saveLater(job, in: context)
    }
  }

  private func saveInStack(_ job: LedgerJob) async throws {
    let made = LedgerDraft()
    do {
      try await stack.save(retries: job.number % 3, mergePolicy: job.policy) { local in
        made.entries = try job.edit(local)
      }
      let entries = made.entries.map { entry in
        var entry = entry
        entry.answer = .acknowledged
        return entry
      }
      book.note(entries)
    } catch {
      refuse(made.entries, error)
    }
  }

  /// Edits, saves or rolls back in one block, in a context that others use, too.
  private func saveAtOnce(_ job: LedgerJob, in context: ManagedObjectContext) async throws {
    try await context.perform { [self] local in
      let entries = try job.edit(local)
      if job.way == .rolledBack {
        local.rollback()
        return book.note(entries)
      }
      do {
        let outcome = try local.context.saveAndWait(
          toPersistentStore: true, mergePolicy: job.policy)
        note(job, entries, outcome)
      } catch {
        local.rollback()
        refuse(entries, error)
      }
    }
  }

  private func saveLater(_ job: LedgerJob, in context: ManagedObjectContext) async throws {
    let entries = try await context.perform { try job.edit($0) }
    if job.pause > 0 { try await Task.sleep(for: .milliseconds(job.pause)) }
    if job.way == .discarded { return book.note(entries) }
    do {
      let outcome = try await context.save(toPersistentStore: true, mergePolicy: job.policy)
      note(job, entries, outcome)
    } catch {
      await context.perform { $0.rollback() }
      refuse(entries, error)
    }
  }

  private func note(_ job: LedgerJob, _ entries: [LedgerEntry], _ outcome: SaveOutcome) {
    var (entries, wrong) = (entries, [String]())
    switch outcome {
    case .noChanges: wrong = entries.map { "\($0): the save had nothing to do" }
    case .saved(let summary):
      for index in entries.indices {
        wrong += entries[index].take(summary, of: ids[entries[index].place.account])
      }
    }
    book.note(entries, wrong: wrong)
  }

  private func refuse(_ entries: [LedgerEntry], _ error: any Error) {
    guard let error = error as? CauldronError, Self.expected.contains(error.code) else {
      return book.blame("\(entries): the save ended with \(error)")
    }
    book.note(
      entries.map { entry in
        var entry = entry
        entry.answer = error.code == .storeCommitOutcomeUnknown ? .open : .refused
        entry.story += ", \(error.code.rawValue)"
        return entry
      })
  }

  /// What others' edits, locks and rollbacks bring about.
  private static let expected: Set<CauldronError.Code> = [
    .saveConflict, .saveDependency, .storeBusy, .storeCommitOutcomeUnknown, .saveDiscarded,
  ]
}

/// What a block made the last time it ran.
private final class LedgerDraft: @unchecked Sendable {
  // The save's block runs before its answer comes.
  var entries: [LedgerEntry] = []
}
