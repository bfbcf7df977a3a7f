import CauldronModel

/// A change set that came or went, and why.
struct Arrival: Sendable {
  let changes: ChangeSet
  let reason: Reason
  /// Whether it is the context's own and came back because it could not be written.
  var isReturned: Bool { reason == .returned }
  /// Whether others made it what it is.
  var isMerged: Bool { reason == .sibling || reason == .adapted }

  enum Reason {
    /// A child saved into this context.
    case child
    /// Somebody else saved into the parent or the store.
    case sibling
    /// A merge policy has changed what this context, or one below, has saved.
    case adapted
    /// The context's own changes could not be written and came back.
    case returned
    /// The context has dropped what it had not saved, which the rollback itself tells.
    case discarded
  }
}
