import CauldronModel
import Foundation

// A commit may fail in a way that leaves open whether it is durable. The next transaction finds out
// before it writes: an import that was written twice would be as wrong as one that is lost.
extension PersistentStoreCoordinator {
  /// What the rows in the store tell of a commit.
  private enum Trace {
    /// Only that commit can have left them so.
    case written
    case notWritten
    /// Somebody else has changed them since, or they cannot be read.
    case unknown
  }

  /// Finds out what became of the layers of a commit whose outcome is unknown.
  ///
  /// Written ones leave the ledger, and their saves are told; others are written by what follows.
  /// Where it cannot be told, the summary has the error.
  func settleUnknown(_ node: LedgerNode, _ run: SaveRun, _ summary: inout CommitSummary) {
    let flights = ledger.takeUnsettled(node)
    guard !flights.isEmpty else { return }
    switch trace(flights) {
    case .written: settle(flights, node, run, &summary)
    case .notWritten: ledger.settle(node, notWritten: flights)
    case .unknown:
      ledger.leaveUnsettled(node, flights)
      summary.error = CauldronError(
        .storeCommitOutcomeUnknown,
        "Cannot save: whether an earlier save of \(flights.count) change sets was written is still"
          + " unknown.", hint: "Roll the root saving context back to give those changes up."
      ).with { $0.path = storeURL?.path }
    }
  }

  private func settle(
    _ flights: [Flight], _ node: LedgerNode, _ run: SaveRun, _ summary: inout CommitSummary
  ) {
    for flight in flights { record(flight.layer) }
    ledger.settle(node, written: flights)
    for flight in flights { summary.acknowledge(flight, run.id) }
  }

  /// What a commit has made of a row, all its layers together.
  private struct NetChange {
    /// The row before; nil for a new one.
    let before: RowPointer?
    /// The row afterwards; nil for a deleted one.
    var after: RowPointer?
  }

  /// The commit was one transaction, so that one row that nobody else can have made tells of all.
  private func trace(_ flights: [Flight]) -> Trace {
    var (isWritten, isNotWritten) = (true, true)
    for (entity, changes) in Self.netChanges(flights) {
      guard let found = try? storedRows(Array(changes.keys), entity) else { return .unknown }
      let rows = Dictionary(found.map { ($0.row.key, $0.row) }) { first, _ in first }
      for (key, change) in changes {
        let row = rows[key]
        // Nobody else is ever given the key of an inserted row.
        if change.before == nil, change.after != nil, row != nil { return .written }
        if !isState(row, change.after, entity) { isWritten = false }
        if row?.version != change.before?.version { isNotWritten = false }
      }
      withExtendedLifetime(found) {}
    }
    return isNotWritten ? .notWritten : isWritten ? .written : .unknown
  }

  private func isState(
    _ row: RowPointer?, _ expected: RowPointer?, _ entity: EntityLayout
  ) -> Bool {
    guard let row, let expected else { return row == nil && expected == nil }
    return row.version == expected.version && row.difference(from: expected, entity).isEmpty
  }

  private static func netChanges(_ flights: [Flight]) -> [(EntityLayout, [Int64: NetChange])] {
    var result: [Int32: (EntityLayout, [Int64: NetChange])] = [:]
    for set in flights.flatMap(\.layer.changes.entities) {
      var changes = result[set.entity.number]?.1 ?? [:]
      func note(_ key: Int64, _ before: RowPointer?, _ after: RowPointer?) {
        changes[key] = NetChange(before: changes[key].map(\.before) ?? before, after: after)
      }
      for deletion in set.deleted { note(deletion.key, deletion.base, nil) }
      for update in set.updated { note(update.row.key, update.base, update.row) }
      for row in set.inserted { note(row.key, nil, row) }
      result[set.entity.number] = (set.entity, changes)
    }
    return result.values.map { entity, changes in
      // What was made and deleted again has left no trace.
      (entity, changes.filter { $0.value.before != nil || $0.value.after != nil })
    }
  }
}
