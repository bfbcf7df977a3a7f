package import CauldronLedger
public import CauldronModel
package import CauldronStore

/// What happened in a context, as a value that may cross queues.
///
/// IDs are worked out when they are asked for, so that a change of 100,000 objects costs nothing
/// to announce.
public struct ContextChange: Sendable {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// The context handed its changes to its parent or the store.
    case didSave
    /// Objects of the context changed in an event.
    case objectsDidChange
    /// The context took in what others saved.
    case didMerge
  }

  /// What happened.
  public var kind: Kind { content.kind }
  /// The context's name.
  public var contextName: String { content.contextName }
  /// The number of the save; 0 for other changes.
  public var saveID: UInt64 { content.saveID }
  /// The node of the context that it happened in; kept, because a later node may get the address of one
  /// that has gone.
  package var source: LedgerNode { content.source }
  package var storeNumber: Int32 { content.storeNumber }
  /// With the keys that the objects have now.
  package var sets: [ChangeSet] { content.sets.map(content.ledger.followed) }
  var parts: ChangeParts { content.parts }

  /// An ID as it is now.
  func followed(_ id: ManagedObjectID) -> ManagedObjectID {
    id.followed(content.ledger.provisional)
  }

  /// Those of the IDs that are of objects: links have none that anybody knows.
  func objects(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
    let last = content.lastEntity
    return ids.contains { $0.entityNumber > last } ? ids.filter { $0.entityNumber <= last } : ids
  }

  /// One reference, so that handing a change around copies nothing.
  private let content: Content

  private final class Content: Sendable {
    let kind: Kind
    let contextName: String
    let saveID: UInt64
    let source: LedgerNode
    let storeNumber: Int32
    let sets: [ChangeSet]
    let parts: ChangeParts
    let ledger: ChangeLedger
    /// The number of the last entity; joins have greater ones.
    let lastEntity: Int32

    init(
      _ kind: Kind, _ contextName: String, _ place: Place, saveID: UInt64, _ sets: [ChangeSet],
      _ parts: ChangeParts
    ) {
      self.kind = kind
      self.contextName = contextName
      self.saveID = saveID
      source = place.node
      storeNumber = place.coordinator.storeNumber
      ledger = place.coordinator.ledger
      lastEntity = Int32(place.coordinator.managedObjectModel.entityLayouts.count)
      self.sets = sets
      self.parts = parts
    }
  }

  init(
    _ kind: Kind, contextName: String, _ place: Place, saveID: UInt64, _ sets: [ChangeSet],
    _ parts: ChangeParts
  ) {
    content = Content(kind, contextName, place, saveID: saveID, sets, parts)
  }

  /// The objects that were created.
  /// - Complexity: O(created objects).
  public var inserted: [ManagedObjectID] {
    entities { changes in changes.inserted.map(\.key) }
  }

  /// The objects that were changed, and those of which only to-many relationships were.
  /// - Complexity: O(changed objects).
  public var updated: [ManagedObjectID] {
    let updated = entities { changes in changes.updated.map(\.row.key) }
    let linked = linkedObjects + owners
    if linked.isEmpty { return updated }
    var known = Set(updated + inserted + deleted)
    return updated + linked.filter { known.insert($0).inserted }
  }

  /// The objects that were deleted, and those that a rollback took out because they were created.
  /// - Complexity: O(deleted objects).
  public var deleted: [ManagedObjectID] {
    entities { changes in changes.deleted.map(\.key) } + objects(parts.discarded).map(followed)
  }

  /// The properties of an object that were changed; empty for created and deleted ones.
  /// - Complexity: O(change sets · log *n*).
  public func changedProperties(of id: ManagedObjectID) -> [String] {
    let id = followed(id)
    var indices = PropertySet()
    var layout: EntityLayout?
    for set in sets {
      guard let changes = set.changes(to: id.entityNumber),
        case .updated(let update) = changes.change(id.key)
      else { continue }
      layout = changes.entity
      indices = indices.union(update.changed)
    }
    let names =
      layout.map { layout in
        indices.indices.map { layout.properties[$0] }.filter { !$0.isHidden }.map(\.name)
      } ?? []
    return names + linkedProperties(of: id) + ownedProperties(of: id)
  }

  private func entities(_ keys: (EntityChanges) -> [Int64]) -> [ManagedObjectID] {
    let sets = self.sets
    var seen: Set<ManagedObjectID> = []
    var result: [ManagedObjectID] = []
    for changes in sets.flatMap(\.entities) where !changes.entity.isJoin {
      for key in keys(changes) {
        let id = ManagedObjectID(
          key: key, entityNumber: changes.entity.number, storeNumber: storeNumber)
        if sets.count == 1 || seen.insert(id).inserted { result.append(id) }
      }
    }
    return result
  }
}

// A link is no object, but its ends have changed; and the owner of a to-one reference has.
extension ContextChange {
  /// The objects whose one-to-many relationships have changed, each once.
  /// - Complexity: O(changed references).
  var owners: [ManagedObjectID] {
    var seen: Set<ManagedObjectID> = []
    var result: [ManagedObjectID] = []
    forEachOwner { id, _ in if seen.insert(id).inserted { result.append(id) } }
    return result
  }

  /// The one-to-many relationships of an object that have changed.
  /// - Complexity: O(changed references).
  func ownedProperties(of id: ManagedObjectID) -> [String] {
    var names: Set<String> = []
    forEachOwner { owner, property in if owner == id { names.insert(property.name) } }
    return names.sorted()
  }

  private func forEachOwner(_ body: (ManagedObjectID, PropertyLayout) -> Void) {
    for set in sets.flatMap(\.entities) where !set.entity.isJoin {
      for reference in set.entity.digest.toOnes where reference.ownersRoot != nil {
        guard let destination = reference.destination else { continue }
        let inverse = destination.entity.properties[destination.inverse]
        set.forEachOwner(by: reference) { row in
          if let id = id(of: reference, in: row) { body(id, inverse) }
        }
      }
    }
  }

  /// The objects whose many-to-many relationships have changed, each once.
  /// - Complexity: O(links).
  var linkedObjects: [ManagedObjectID] {
    var seen: Set<ManagedObjectID> = []
    var result: [ManagedObjectID] = []
    forEachLink { link, join in
      for end in join.properties {
        if let id = id(of: end, in: link), seen.insert(id).inserted { result.append(id) }
      }
    }
    return result
  }

  /// The many-to-many relationships of an object that have changed.
  /// - Complexity: O(links).
  func linkedProperties(of id: ManagedObjectID) -> [String] {
    var names: Set<String> = []
    forEachLink { link, join in
      for end in join.properties where self.id(of: end, in: link) == id {
        guard let destination = end.destination else { continue }
        names.insert(destination.entity.properties[destination.inverse].name)
      }
    }
    return names.sorted()
  }

  private func forEachLink(_ body: (RowPointer, EntityLayout) -> Void) {
    for set in sets.flatMap(\.joins) {
      for link in set.inserted { body(link, set.entity) }
      for link in set.updated { body(link.row, set.entity) }
      for link in set.deleted { body(link.base, set.entity) }
    }
  }

  private func id(of end: PropertyLayout, in link: RowPointer) -> ManagedObjectID? {
    guard let entity = end.destination?.entity, !link.isNull(end.index) else { return nil }
    let number = end.entitySlot.map { Int32(truncatingIfNeeded: link.slot($0)) } ?? entity.number
    return ManagedObjectID(
      key: link.slot(end.index), entityNumber: number, storeNumber: storeNumber)
  }
}

/// What happened to objects besides what change sets tell.
struct ChangeParts: Sendable {
  /// Objects that were created and are gone again without a save.
  var discarded: [ManagedObjectID] = []
  /// Registered objects that show another row now.
  var refreshed: [ManagedObjectID] = []
  /// Registered objects whose rows were found to be gone.
  var invalidated: [ManagedObjectID] = []
  /// Every object that a reset has made unusable; nil for other changes.
  var invalidatedAll: [ManagedObjectID]?

  var isEmpty: Bool {
    discarded.isEmpty && refreshed.isEmpty && invalidated.isEmpty && invalidatedAll == nil
  }
}

extension ContextChange {
  /// The registered objects that took in changes saved elsewhere, or got other values by
  /// ``ManagedObjectContext``'s `refresh` and `rollback`; faults are not among them.
  /// - Complexity: O(refreshed objects).
  public var refreshed: [ManagedObjectID] { unique(objects(parts.refreshed).map(followed)) }

  /// The registered objects that were found to be deleted elsewhere, where the change sets were too
  /// many to be kept.
  public var invalidated: [ManagedObjectID] { objects(parts.invalidated) }

  /// The objects that a reset has made unusable; empty for all other changes.
  public var invalidatedAll: [ManagedObjectID] { objects(parts.invalidatedAll ?? []) }

  private func unique(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
    var seen = Set<ManagedObjectID>(minimumCapacity: ids.count)
    return ids.filter { seen.insert($0).inserted }
  }
}
