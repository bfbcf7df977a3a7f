import CauldronModel

extension ContextCore {
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
    publisher.publishAncestorsQuietly()
    guard object.isFault else {
      if object.isUnread { try unreadEdits.readAgain(object) }
      return
    }
    distrustIfStale(object)
    // What turns out to be of another class is gone, and told of below.
    if groups.mayLead(to: object), readTogether(object),
      object.hasRow
    {
      return
    }
    guard let row = try row(of: object) ?? unreadEdits.laterRow(of: object) else {
      object.change { $0.endFault() }
      object.move(to: object.layout.zero.row)
      let error = CauldronError.notFound(object)
      if settings.withLock({ $0.deletesInaccessible }) {
        object.vanish()
      } else {
        object.noteInaccessible(error)
      }
      throw error
    }
    object.revive()
    object.show(row.row)
    object.endUnread()
    noteFilled(object)
  }
}
