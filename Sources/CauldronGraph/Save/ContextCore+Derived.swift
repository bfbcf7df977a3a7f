import CauldronModel

extension ContextCore {
  /// Has the objects show what the store has derived from the save that has ended, where the caller
  /// owns the context; elsewhere an event follows, in which they do.
  func takeInDerived() {
    if coordinator.managedObjectModel.hasDerived { takeInNow() }
  }

  /// Whether somebody on the main queue, who begins no event, would look at something old after a save:
  /// at derived numbers, or at a context that has not got back yet what was refused above.
  func catchesUp(after result: Result<SaveOutcome, CauldronError>) -> Bool {
    guard ownership.kind == .main else { return false }
    if case .failure = result { return true }
    return coordinator.managedObjectModel.hasDerived
  }

  /// Brings a main context up to a save that has ended; whoever uses another one, whose save has ended
  /// elsewhere, begins an event.
  func catchUpOnMain(after result: Result<SaveOutcome, CauldronError>) {
    if catchesUp(after: result) { takeInNow() }
  }

  private func takeInNow() {
    guard !inbox.isEmpty, ownership.canRunHere else { return }
    hold {
      self.runEvent {
        // A save is a moment at which objects change, also in the middle of an event.
        if self.event.depth > 1 { self.catchUp() }
      }
    }
    ownership.endClaim(.open)
  }
}
