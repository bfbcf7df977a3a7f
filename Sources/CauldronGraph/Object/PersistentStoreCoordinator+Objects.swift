public import CauldronLedger
public import CauldronModel
import CauldronStore
public import Foundation

extension PersistentStoreCoordinator {
  /// The classes of the model's entities; kept for as long as the coordinator exists.
  package var classes: ObjectClassTable {
    attachments.value { ObjectClassTable(managedObjectModel) }
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
      let key = key(parts[3], of: layout)
    else { return nil }
    return id(key, of: layout)
  }

  /// The key that the last part of a URI names.
  private func key(_ part: Substring, of layout: EntityLayout) -> Int64? {
    let digits = part.dropFirst()
    guard digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int64(digits)
    else { return nil }
    switch part.first {
    case "p": return number
    case "t":
      return ledger.provisional.key(number: number).map {
        ledger.provisional.final($0, entity: layout.number)
      }
    default: return nil
    }
  }
}

extension PersistentStoreCoordinator {
  /// Takes the layers of a context on the coordinator to be written. Objects that were created while no
  /// key could be reserved get theirs now.
  /// - Parameters:
  ///   - validated: Which layers were validated; nil for all.
  ///   - yields: Whether a child comes first that has brought back what the context may have deleted.
  /// - Returns: Nil where one has.
  /// - Throws: Why no key can be reserved; then all is still pending.
  package func takeOff(
    _ node: LedgerNode, only validated: Set<UInt64>?, yields: Bool = false
  ) throws(CauldronError) -> [Layer]? {
    while true {
      let begun = ledger.beginFlight(node, only: validated, yields: yields)
      guard let (layers, provisional) = begun else { return nil }
      if provisional.isEmpty { return layers }
      try exchange { try keys.exchanges(for: provisional.map(\.changes)) }
    }
  }

  /// Gives objects that were created while no key could be reserved keys of the store.
  func reserveKeys(for objects: [ManagedObject]) throws(CauldronError) {
    // Read before anything is waited for: meanwhile a save may give some of them keys, which are not to be
    // exchanged once more.
    var old: [Int32: (keys: Set<Int64>, root: EntityLayout)] = [:]
    for object in objects where object.objectID.key < 0 {
      let root = object.layout.root
      old[root.number, default: ([], root)].keys.insert(object.objectID.key)
    }
    try exchange { try old.values.flatMap { try keys.exchanges(for: Array($0.keys), $0.root) } }
  }

  /// Has all contexts know objects by keys of the store.
  private func exchange(
    _ reserve: () throws -> [ProvisionalKeys.Exchange]
  ) throws(CauldronError) {
    do {
      let exchanges = try reserve()
      claims.follow(exchanges)
      for other in ledger.exchange(exchanges) { other.owner?.catchUpSoon() }
    } catch {
      throw CauldronError.wrap(error)
    }
  }
}
