import CauldronModel

extension ContextCore {
  /// Makes an object's row private, so that a property can be written.
  @usableFromInline
  package func prepareWrite(_ object: ManagedObject) {
    if object.state.contains(.fault) { fire(object) }
    let extras = object.makeExtras()
    let base = RowPointer(object.row).held(by: object.owner)
    if !object.state.contains(.inserted), !object.state.contains(.updated) {
      extras.committed = base
      object.state.insert(.updated)
    }
    (extras.eventBase, extras.eventFirst) = (base, base)
    let row = builder.copy(base.row, object.layout)
    object.move(to: row)
    object.state.insert(.writable)
    // A deletion that is in the ledger stands, whatever is edited afterwards.
    if object.state.isDisjoint(with: [.inEvent, .deleted, .gone]) {
      object.state.insert(.inEvent)
      touch(object)
    }
  }

  /// Reads the row of a fault.
  @usableFromInline
  package func fire(_ object: ManagedObject) {
    do {
      try load(object)
    } catch {
      object.note(unread: error)
    }
  }

  /// Reads the row of a fault, or throws why it cannot be read.
  func load(_ object: ManagedObject) throws {
    guard object.state.contains(.fault) else {
      if object.state.contains(.unread) { try readAgain(object) }
      return
    }
    guard let row = try row(of: object) else {
      object.state.subtract(.fault)
      object.state.insert([.gone, .deleted])
      object.move(to: object.layout.zero.row)
      throw CauldronError.notFound(object)
    }
    object.revive()
    object.show(row.row)
    object.state.subtract([.fault, .unread])
  }
}

extension RowPointer {
  func held(by block: RowBlock) -> HeldRow { HeldRow(row: self, block: block) }
}
