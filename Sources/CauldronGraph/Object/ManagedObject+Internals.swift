import CauldronLedger
package import CauldronModel
import Logging

extension ManagedObject {
  /// Whether the object has nothing that the context would lose with it.
  var isClean: Bool {
    isGone || state.isClean && (extras?.transient.isEmpty ?? true)
  }

  /// Has the object forget what was walked of its to-many relationships.
  package func forgetWalks() {
    extras?.forgetWalks()
    noteToMany()
  }

  /// Has the object have no row any more, or no context.
  func vanish() {
    noteChanges()
    state.vanish()
  }

  /// Whether an object that nobody but the context holds may leave it.
  @inline(__always)
  var mayLeave: Bool {
    if !isObserved { return true }
    return core._withUnsafeGuaranteedRef { $0.announcer.cells?.letGo(of: self) ?? true }
  }

  package func makeExtras() -> ObjectExtras {
    if let extras { return extras }
    let made = ObjectExtras()
    extras = made
    return made
  }

  /// Takes back that the row was found to be gone.
  ///
  /// What was edited while there was no row is no edit of the one that is back.
  func revive() {
    guard isGone else { return }
    noteChanges()
    if !isInEvent {
      extras?.revertEdits()
    }
    state.revive()
  }

  /// The ID that the object is registered under: that of layers as long as nobody has followed an
  /// exchange of keys since they were taken.
  package final var registeredID: ManagedObjectID {
    ManagedObjectID(
      key: key, entityNumber: entityNumber,
      storeNumber: core._withUnsafeGuaranteedRef { $0.coordinator.storeNumber })
  }

  /// The object's entity.
  package final var layout: EntityLayout {
    core._withUnsafeGuaranteedRef { $0.place.layouts[Int(entityNumber) - 1].entity }
  }

  /// The memory of the row.
  final var owner: RowBlock { RowPointer(row).block }

  /// Has the object's values in another row from now on, and keeps that row's memory.
  package final func move(to row: RowPointer) {
    let (old, new) = (owner, row.block)
    self.row = row.words
    guard old !== new else { return }
    _ = Unmanaged.passRetained(new)
    Unmanaged.passUnretained(old).release()
  }

  /// Shows a shared row.
  package func show(_ row: RowPointer) {
    noteChanges(by: row)
    move(to: row)
    if let extras, extras.edits.untracked != nil { extras.edits.endUntracked() }
    state.show()
    // An unsaved object leads where its new row does.
    guard isListed || isInEvent else { return }
    core._withUnsafeGuaranteedRef { $0.drafts.noteReferences(of: self) }
  }

  /// Shows the row that was read for the object, which may have been gone, a fault or unread.
  func fill(with row: RowPointer) {
    revive()
    show(row)
    endUnread()
  }

  /// Records that the row could not be read; the last known values, or zeros, stay visible.
  func note(unread error: any Error) {
    let reason = CauldronError.wrap(error)
    guard reason.code != .objectNotFound else { return }
    noteUnread(reason)
  }

  /// Records that there is no row, where that does not count as a deletion.
  func noteInaccessible(_ error: CauldronError) {
    if extras?.error?.code != .objectNotFound { noteUnread(error) }
  }

  /// Whether the object has no row and counts as one that could not be read.
  var isInaccessible: Bool {
    isUnread && extras?.error?.code == .objectNotFound
  }

  /// The object shows its row now.
  func endUnread() {
    if isUnread {
      // What was walked while it was not known may have been too little.
      forgetWalks()
      extras?.error = nil
    }
    state.becomeRead()
  }

  private func noteUnread(_ reason: CauldronError) {
    makeExtras().error = reason
    state.becomeUnread()
    core._withUnsafeGuaranteedRef { core in
      var metadata = ContextLog(core).metadata(reason)
      metadata["object"] = "\(objectID)"
      core.coordinator.logger.error("\(reason)", metadata: metadata)
    }
  }

  /// The context, for as long as it exists.
  var context: ManagedObjectContext? { core._withUnsafeGuaranteedRef { $0.handle } }
}

extension CauldronError {
  package static func notFound(_ object: ManagedObject) -> CauldronError {
    let isDeletedHere = object.isDeleted && !object.isGone
    let what = isDeletedHere ? "its context has deleted it" : "it is no longer in the store"
    return CauldronError(
      .objectNotFound, "Cannot fault \(object.layout.name) \(object.objectID): \(what)."
    ).with {
      $0.entity = object.layout.name
      $0.objectIDs = [object.objectID]
    }
  }
}

extension Array where Element == ManagedObject {
  /// Calls `body` with each object and its position, without a retain and a release for each, which
  /// cost more than most of what is done with an object.
  @inline(__always)
  package func forEachUnretained(_ body: (Int, ManagedObject) throws -> Void) rethrows {
    try withUnsafeBufferPointer { buffer in
      // An `Unmanaged` is the reference itself; the array keeps the objects all the while.
      try UnsafeRawBufferPointer(buffer).withMemoryRebound(to: Unmanaged<ManagedObject>.self) {
        for index in $0.indices {
          try $0[index]._withUnsafeGuaranteedRef { try body(index, $0) }
        }
      }
    }
  }
}
