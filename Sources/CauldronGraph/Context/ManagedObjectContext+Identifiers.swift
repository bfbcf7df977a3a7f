import CauldronLedger
import CauldronModel
import CauldronStore
import Foundation

extension ManagedObject {
  /// The same object in another context; a fault if that context does not have it.
  ///
  /// Objects that are not in the store yet are found too, if they were saved into an ancestor of
  /// the context, or belong to an ancestor whose event has ended.
  /// ```swift
  /// let mine = person.in(context)
  /// ```
  /// - Complexity: Nothing is read.
  public final func `in`(_ context: ManagedObjectContext) -> Self {
    // The entity decides the class, and it is the same in every context of a coordinator.
    unsafeDowncast(context.object(with: objectID), to: Self.self)
  }
}

extension ManagedObjectContext {
  /// Gives objects permanent IDs that have none, so that ``ManagedObjectID/isTemporaryID`` is false of all.
  ///
  /// Mostly there is nothing to do: an ID is permanent from the start, unless somebody else wrote to the store
  /// while no reserved key was left; see ``ManagedObject/objectID``. Objects of other contexts are passed over.
  /// - Throws: What reserving keys meets, such as `store.busy`; it waits for the store as a save does.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    prove()
    let waiting = objects.filter {
      $0.core._withUnsafeGuaranteedRef { $0 === core } && $0.objectID.isTemporaryID
    }
    if waiting.isEmpty { return }
    core.publisher.publish()
    try core.coordinator.reserveKeys(for: waiting.filter { !$0.isGone })
    core.keys.followExchanges()
  }
}
