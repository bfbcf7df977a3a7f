public import CauldronLedger
public import CauldronModel
import CauldronStore
public import Foundation

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

extension PersistentStoreCoordinator {
  /// The ID that a URI stands for; nil if it is of another store, or names no entity of the model.
  ///
  /// The entity may have the name that it had before, as the model's `originalName:` says. The URI of an
  /// object that had no key of the store's yet is understood as long as this
  /// coordinator exists, and leads to the ID that the object has now. Whether the object exists is
  /// not checked.
  public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
    let parts = uri.absoluteString.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count == 4, parts[0] == "x-coredata:",
      parts[1].uppercased() == storeIdentifier.uppercased(),
      let name = parts[2].removingPercentEncoding,
      let layout = managedObjectModel.layout(namedNowOrBefore: name),
      let key = key(parts[3], layout)
    else { return nil }
    return id(key, layout)
  }

  /// The key that the last part of a URI names.
  private func key(_ part: Substring, _ layout: EntityLayout) -> Int64? {
    let digits = part.dropFirst()
    guard digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int64(digits)
    else { return nil }
    switch part.first {
    case "p": return number
    case "t":
      return ledger.provisional.key(number: number).map {
        ledger.provisional.final($0, layout.number)
      }
    default: return nil
    }
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
