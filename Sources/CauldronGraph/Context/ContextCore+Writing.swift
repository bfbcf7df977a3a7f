import CauldronModel

extension ContextCore {
  /// Makes an object's row private, so that a property can be written.
  @usableFromInline
  package func prepareWrite(_ object: ManagedObject) {
    if object.state.contains(.fault) {
      fire(object)
      // What is unknown still is edited all the same; it is read when the edits are published.
      object.state.remove(.fault)
    }
    if object.state.contains(.untracked) {
      prepareUntracked(object)
      object.state.insert(.writable)
      return
    }
    let extras = object.makeExtras()
    let shown = RowPointer(object.row)
    let base = extras.untracked?.row ?? shown.held(by: object.owner)
    if !object.state.contains(.inserted), !object.state.contains(.updated) {
      extras.committed = base
      object.state.insert(.updated)
    }
    (extras.eventBase, extras.eventFirst) = (base, base)
    let row = builder.copy(shown, object.layout)
    object.move(to: row)
    object.state.insert(.writable)
    // A deletion that is in the ledger stands, whatever is edited afterwards.
    if object.state.isDisjoint(with: [.inEvent, .deleted, .gone, .standIn]) {
      object.state.insert(.inEvent)
      touch(object)
    }
  }
}

extension RowPointer {
  func held(by block: RowBlock) -> HeldRow { HeldRow(row: self, block: block) }
}
