import CauldronModel

extension ContextCore {
  /// Whether somebody on the main queue may look at derived numbers without an event before.
  var showsDerivedOnMain: Bool {
    ownership.kind == .main && coordinator.managedObjectModel.hasDerived
  }

  /// The same as ``takeInDerived()`` for a main context on its queue; whoever uses another one, whose
  /// save has ended elsewhere, begins an event.
  func takeInDerivedOfMain() { if showsDerivedOnMain { takeInDerived() } }

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
