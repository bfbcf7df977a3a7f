import CauldronModel
import CauldronStore

// What other processes write is found out by reading: nobody tells.
extension ContextCore {
  /// Finds out, after a read, whether somebody else has written to the store.
  func noticeOthers() {
    coordinator.noticeOthers()
    identity.forgetWalks(before: coordinator.ledger.others.count)
  }

  /// Shows a fetched row: in a fault, in an object that was gone, and, where others write, in one
  /// without edits of its own.
  func takeOver(_ row: RowPointer, _ object: ManagedObject) {
    if !object.hasRow {
      object.revive()
      object.show(row)
      object.endUnread()
      noteFilled(object)
    } else if object.isInaccessible {
      // Unknown when it was edited: the edits are on top of the row from now on.
      try? unreadEdits.readAgain(object)
    } else if object.isUntouched {
      replace(object, row)
    }
  }

  /// Reads the row of an object that others may have changed or deleted; a cached one was read or
  /// committed since they did.
  func verify(_ object: ManagedObject) throws {
    guard object.isUntouched, !object.isFault else { return }
    guard let row = try row(of: object) else {
      object.vanish()
      return
    }
    withExtendedLifetime(row) { replace(object, row.row) }
  }

  private func replace(_ object: ManagedObject, _ row: RowPointer) {
    let old = object.trackedRow
    guard old != row else { return }
    let isSame = old.version == row.version && row.difference(from: old, object.layout).isEmpty
    if isSame, object.extras?.edits.untracked != nil { return }
    object.show(row)
    object.change { $0.endUnread() }
    object.extras?.error = nil
    if isSame { return }
    note(refreshed: object)
    noteSnapshot(object, .refresh)
  }
}

extension PersistentStoreCoordinator {
  /// Distrusts all that is cached where somebody else has written to the store.
  func noticeOthers() {
    guard store.takeForeignWrites() else { return }
    // In this order: what is read from now on may enter the cache.
    ledger.othersHaveWritten()
    cache.outdateAll()
  }
}
