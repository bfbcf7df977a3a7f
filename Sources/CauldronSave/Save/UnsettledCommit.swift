import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Foundation

/// A commit that has failed in a way that leaves open whether it is durable.
///
/// The next transaction finds out before it writes: an import that was written twice would be as wrong as
/// one that is lost.
struct UnsettledCommit {
  let coordinator: PersistentStoreCoordinator
  /// The context on the coordinator that has its layers.
  let node: LedgerNode

  private var ledger: ChangeLedger { coordinator.ledger }

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
  /// Written ones leave the ledger; what was not written is written by what follows.
  /// - Returns: What was written, and its saves are to be told of.
  /// - Throws: That it cannot be told.
  func settled() throws(CauldronError) -> [Flight] {
    let flights = ledger.takeUnsettled(node)
    guard !flights.isEmpty else { return [] }
    switch trace(flights) {
    case .written:
      settle(flights)
      return flights
    case .notWritten:
      ledger.settle(node, notWritten: flights)
      return []
    case .unknown:
      ledger.leaveUnsettled(node, flights: flights)
      throw CauldronError(
        .storeCommitOutcomeUnknown,
        "Cannot save: whether an earlier save of \(flights.count) change sets was written is still"
          + " unknown.", hint: "Roll the root saving context back to give those changes up."
      ).with { $0.path = coordinator.storeURL?.path }
    }
  }

  private func settle(_ flights: [Flight]) {
    for set in flights.flatMap(\.layer.changes.entities) { settle(set) }
    for flight in flights { ledger.noteCommitted(.changes(flight.layer.changes)) }
    ledger.settle(node, written: flights)
    coordinator.outdateDerived(by: flights.map(\.layer))
  }

  /// Later commits may have followed, so the rows of this one are not known to be the newest.
  private func settle(_ set: EntityChanges) {
    for key in set.changedKeys {
      coordinator.cache.outdate(key, root: set.entity.rootNumber)
    }
    coordinator.results.outdate(set)
    coordinator.keys.markCommitted(set)
  }

  /// What a commit has made of a row, all its layers together.
  private struct NetChange {
    /// The row before; nil for a new one.
    let before: RowPointer?
    /// The row afterwards; nil for a deleted one.
    var after: RowPointer?
  }

  /// The commit was one transaction, so that one row tells of all, if no other commit can have left
  /// it so: versions only grow, and no key is given twice.
  private func trace(_ flights: [Flight]) -> Trace {
    var evidence = Evidence()
    let changes = Self.netChanges(flights)
    // Links tell nothing, because other saves may have made the same; nor does it harm to write
    // them again.
    if changes.allSatisfy(\.0.isJoin) { return .notWritten }
    for (entity, changes) in changes where !entity.isJoin {
      guard let found = try? coordinator.storedRows(Array(changes.keys), of: entity) else {
        return .unknown
      }
      let rows = Dictionary(found.map { ($0.row.key, $0.row) }) { first, _ in first }
      for (key, change) in changes { evidence.add(rows[key], change: change, of: entity) }
      withExtendedLifetime(found) {}
    }
    return evidence.trace
  }

  /// What single rows tell of a commit.
  private struct Evidence {
    private var isAsBefore = false
    private var isAsAfter = false
    private var lacksInserted = false
    /// Whether all rows are gone that the commit deletes, and it does nothing else.
    private var areAllDeleted = true

    mutating func add(_ row: RowPointer?, change: NetChange, of entity: EntityLayout) {
      if let before = change.before, row?.version == before.version { isAsBefore = true }
      guard let after = change.after else {
        if row != nil { areAllDeleted = false }
        return
      }
      areAllDeleted = false
      // A row that was inserted again after a deletion has a key that is known elsewhere.
      if change.before == nil, after.version == 1 {
        if row == nil { lacksInserted = true } else { isAsAfter = true }
      } else if let row, row.version == after.version, row.difference(from: after, entity).isEmpty {
        isAsAfter = true
      }
    }

    var trace: Trace {
      if isAsBefore { return .notWritten }
      if isAsAfter { return .written }
      if lacksInserted { return .notWritten }
      return areAllDeleted ? .written : .unknown
    }
  }

  private static func netChanges(_ flights: [Flight]) -> [(EntityLayout, [Int64: NetChange])] {
    var result: [Int32: (EntityLayout, [Int64: NetChange])] = [:]
    for set in flights.flatMap(\.layer.changes.entities) {
      var changes = result[set.entity.number]?.1 ?? [:]
      set.forEachChange { key, before, after in
        changes[key] = NetChange(before: changes[key].map(\.before) ?? before, after: after)
      }
      result[set.entity.number] = (set.entity, changes)
    }
    return result.values.map { entity, changes in
      // What was made and deleted again has left no trace.
      (entity, changes.filter { $0.value.before != nil || $0.value.after != nil })
    }
  }
}
