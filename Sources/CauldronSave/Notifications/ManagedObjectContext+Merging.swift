public import CauldronGraph
import CauldronLedger
import CauldronModel
public import Foundation

extension ManagedObjectContext {
  /// Whether the context takes in by itself what siblings save into its parent or the store; false
  /// by default.
  ///
  /// The merge runs as an event of its own on the context's queue; unsaved edits stay on top.
  public var automaticallyMergesChangesFromParent: Bool {
    get { core.settings.isMerging }
    set { core.coordinator.setMerging(of: core, to: newValue) }
  }

  /// Whether the context sees what its ancestors have not saved; true by default.
  ///
  /// With false it reads as if its ancestors had no unsaved changes: what the store has, and its own
  /// changes, also those that it has saved into its parent. It is meant to be set before the first
  /// read, for objects that were read already keep their values. Saves go to the parent all the same
  /// and are checked there, so a newer unsaved edit of the parent, which the context cannot see, is
  /// a conflict that its merge policy decides. With
  /// ``automaticallyMergesChangesFromParent`` it takes in what is committed, and nothing else.
  /// May be used on any thread.
  public var readsUncommitted: Bool {
    get { core.coordinator.ledger.readsUncommitted(core.node) }
    set { core.coordinator.ledger.setReadsUncommitted(newValue, of: core.node) }
  }

  /// Takes in what another context on the same store has saved.
  ///
  /// Registered objects are refreshed, and unsaved edits stay on top; deleted ones are gone. The
  /// context's own save and a save on another store are ignored. May be called on any thread: on
  /// the context's own queue it is done at return, else as an event of its own.
  public func mergeChanges(fromContextDidSave change: ContextChange) {
    guard change.source !== core.node,
      change.storeNumber == core.coordinator.storeNumber
    else { return }
    for set in change.sets { core.catchUp.receive(set, as: .sibling) }
    // Inside an event, too: it was asked for.
    if core.ownership.isCallers {
      core.publisher.runEvent { core.catchUp.run() }
    }
  }

  /// Takes in what another context on the same store has saved, as its notification tells it.
  ///
  /// ```swift
  /// NotificationCenter.default.addObserver(
  ///   forName: ManagedObjectContext.didSaveObjectsNotification, object: other, queue: nil
  /// ) { context.mergeChanges(fromContextDidSave: $0) }
  /// ```
  /// A notification that is not of a save of this library is ignored; otherwise as
  /// ``mergeChanges(fromContextDidSave:)-(ContextChange)``.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    let key = NotificationKey.change.rawValue
    guard let change = notification.userInfo?[key] as? ContextChange, change.kind == .didSave
    else { return }
    mergeChanges(fromContextDidSave: change)
  }

  /// Takes in by itself what another context on the same store saves.
  ///
  /// ```swift
  /// let following = main.mergeSaves(of: background)
  /// ```
  /// Each save is merged as ``mergeChanges(fromContextDidSave:)-(ContextChange)`` does it, on this context's
  /// own queue, so no context waits for the other. Neither context is kept.
  /// - Returns: The observation, which lasts as long as it is kept, or until it is cancelled.
  public func mergeSaves(of other: ManagedObjectContext) -> ContextObservation {
    other.observe { [weak self] change in
      guard change.kind == .didSave else { return }
      self?.mergeChanges(fromContextDidSave: change)
    }
  }
}
