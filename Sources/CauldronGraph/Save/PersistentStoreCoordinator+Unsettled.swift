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
    let flights = ledger.withLock { () -> [Flight] in
      defer { node.unsettled = [] }
      // What was discarded meanwhile is not asked for any more.
      let waiting = Set(node.layers.map(ObjectIdentifier.init))
      return node.unsettled.filter { waiting.contains(ObjectIdentifier($0.layer)) }
    }
    guard !flights.isEmpty else { return }
    switch trace(flights) {
    case .written: settle(flights, node, run, &summary)
    case .notWritten:
      ledger.withLock {
        node.layers = flights.map(\.saved) + node.layers.dropFirst(flights.count)
      }
    case .unknown:
      ledger.withLock { node.unsettled = flights }
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
    for flight in flights {
      for set in flight.layer.changes.entities {
        cache.apply(set)
        results.outdate(set)
        keys.markCommitted(set)
      }
    }
    ledger.withLock { node.replaceFirst(flights.count, with: []) }
    for flight in flights {
      flight.layer.ticket?.note(flight.resolutions)
      flight.layer.ticket?.resolve(.committed(by: run.id))
      summary.written.append(flight.layer)
    }
  }

  /// The commit was one transaction, so that one row tells of all.
  private func trace(_ flights: [Flight]) -> Trace {
    var isAllWritten = true
    for set in flights.flatMap(\.layer.changes.entities) {
      guard let trace = trace(set) else { continue }
      switch trace {
      case .written where !set.inserted.isEmpty: return .written
      case .written: continue
      case .notWritten: return .notWritten
      case .unknown: isAllWritten = false
      }
    }
    return isAllWritten ? .written : .unknown
  }

  /// - Returns: Nil for a set that changes nothing.
  private func trace(_ set: EntityChanges) -> Trace? {
    let keys = set.inserted.map(\.key) + set.updated.map(\.row.key) + set.deleted.map(\.key)
    guard !keys.isEmpty else { return nil }
    guard let found = try? storedRows(keys, set.entity) else { return .unknown }
    let rows = Dictionary(found.map { ($0.row.key, $0.row) }) { first, _ in first }
    return withExtendedLifetime(found) {
      // Nobody else is ever given the key of an inserted row.
      if set.inserted.contains(where: { rows[$0.key] != nil }) { return .written }
      if !set.inserted.isEmpty { return .notWritten }
      return traceOfChanges(set, rows)
    }
  }

  private func traceOfChanges(_ set: EntityChanges, _ rows: [Int64: RowPointer]) -> Trace {
    var result = Trace.written
    for update in set.updated {
      guard let row = rows[update.row.key] else {
        result = .unknown
        continue
      }
      if row.version == update.base.version { return .notWritten }
      let isMine =
        row.version == update.row.version
        && row.difference(from: update.row, set.entity).intersection(update.changed).isEmpty
      if !isMine { result = .unknown }
    }
    for deletion in set.deleted {
      guard let row = rows[deletion.key] else { continue }
      return row.version == deletion.base.version ? .notWritten : .unknown
    }
    return result
  }
}
