import CauldronModel

extension ContextCore {
  /// Has the objects show what the store has derived from the save that has ended, where the caller
  /// owns the context; elsewhere an event follows, in which they do.
  func takeInDerived() {
    guard coordinator.managedObjectModel.hasDerived, !inbox.isEmpty, ownership.canRunHere else {
      return
    }
    hold {
      self.runEvent {
        // A save is a moment at which objects change, also in the middle of an event.
        if self.event.depth > 1 { self.catchUp() }
      }
    }
    ownership.endClaim(.open)
  }
}
