import CauldronModel
import CauldronStore

/// A layer that is being made acceptable to its receiver, and what was decided about it so far.
///
/// Rules write here, one after the other; it belongs to one check and never leaves its thread.
final class PushDraft {
  /// The layer as it was saved, but that it names new objects that became existing ones by their keys.
  let layer: Layer
  let receiver: PushReceiver
  /// The policy of the save that the layer is of.
  let policy: MergePolicy
  /// What comes after the layer.
  let later: LaterLayers
  /// What the policy has decided.
  var resolutions: [SaveResolution] = []
  /// What it has not decided.
  var conflicts: [CauldronError] = []
  /// Whether objects that have the layer's values must look at what became of them.
  var isNoticed = false
  /// The objects of which the policy has dropped all that the layer has changed.
  var droppedObjects: Set<ManagedObjectID> = []
  /// New objects that turned out to be others, by their unique values.
  var exchanges: [ProvisionalKeys.Exchange] = []
  /// One-to-one links that go with what was decided about rows.
  var decidedLinks = DecidedLinks()
  /// Former partners that have no edit of the layer, and follow it, with the keys that their ends led to.
  var freed: [LinkPlace: Int64] = [:]
  /// The later layers that make good what this one leaves, and must not be missing.
  var trusted: Set<ObjectIdentifier> = []
  /// The number of the set that is being made of the layer; 0 for none yet.
  private var adaptedID: UInt64 = 0

  /// - Parameter contextPolicy: The policy where the layer's save asked for no other.
  init(
    _ layer: Layer, for receiver: PushReceiver, _ contextPolicy: MergePolicy,
    before later: LaterLayers
  ) {
    self.layer = layer
    self.receiver = receiver
    self.later = later
    policy = layer.mergePolicy(or: contextPolicy)
  }

  private var coordinator: PersistentStoreCoordinator { receiver.coordinator }

  /// The unique keys by which the layer's new objects become existing ones, whatever key they were
  /// asked for by; nil for all.
  var joinable: [Int32: Set<Int>]? { layer.ticket?.joinable }

  /// What became of the layer.
  func checked(as accepted: Layer) -> CheckedLayer {
    CheckedLayer(
      layer: accepted, resolutions: resolutions, isNoticed: isNoticed,
      droppedObjects: droppedObjects)
  }

  // MARK: New rows

  var builder: RowBuilder {
    get { receiver.builder }
    _modify { yield &receiver.builder }
  }

  /// The maker of rows that are made anew for this layer.
  func maker() -> UInt64 {
    if adaptedID == 0 { adaptedID = coordinator.ledger.changeSetID() }
    return adaptedID
  }

  /// A layer with other changes.
  func adapted(_ layer: Layer, to sets: [EntityChanges]) -> Layer {
    let id = adaptedID > 0 ? adaptedID : coordinator.ledger.changeSetID()
    return layer.with(changes: ChangeSet(id: id, entities: sets, from: [layer.changes]))
  }

  /// A row with another key.
  func copy(_ row: RowPointer, key: Int64, of entity: EntityLayout) -> RowPointer {
    let copy = builder.copy(row, entity)
    builder.close()
    copy.setKey(key)
    return copy
  }

  /// A row with some references nil.
  func cleared(
    _ row: RowPointer, properties: PropertySet, of entity: EntityLayout
  ) -> RowPointer {
    let copy = builder.cleared(row, properties, of: entity)
    copy.setMaker(maker())
    return copy
  }

  /// An update without some of its properties; nil if nothing is left.
  func without(
    _ properties: [Int], in update: RowUpdate, of entity: EntityLayout
  ) -> RowUpdate? {
    let dropped = PropertySet(properties)
    let changed = update.changed.subtracting(dropped)
    if changed.isEmpty { return nil }
    let row = builder.merge(changed, from: update.row, onto: update.base, entity)
    row.setVersion(update.row.version)
    row.setMaker(maker())
    return RowUpdate(
      row: row, base: update.base, changed: changed, first: update.first,
      nullified: update.nullified.subtracting(dropped), alone: update.alone,
      isRestored: update.isRestored)
  }

  /// Where later layers of the same save lead an end in the end; nil where none does: this one leads it nowhere for
  /// good then.
  ///
  /// A partner in between may have no edit, because it was set back to where it led at first.
  /// - Complexity: O(later layers).
  func lastChange(of end: LinkEnd) -> LinkChange? {
    func update(in layer: Layer) -> RowUpdate? {
      guard layer.unit == self.layer.unit,
        case .updated(let update)? = layer.changes.change(end.object),
        update.changed.contains(end.index)
      else { return nil }
      return update
    }
    guard let last = later.last(where: { update(in: $0) != nil }).flatMap(update) else {
      return nil
    }
    return LinkChange(
      partner: last.row.isNull(end.index) ? nil : last.row.slot(end.index))
  }

  // MARK: Notes

  /// Records what the policy has made of properties that an update changes.
  /// - Parameter theirs: The row that the update has met; nil where there is none.
  func note(
    _ outcome: SaveResolution.Outcome, of properties: PropertySet, in update: RowUpdate,
    over theirs: RowPointer?
  ) {
    let id = coordinator.id(update.row)
    guard let entity = coordinator.layout(id) else { return }
    for index in properties.indices {
      guard let storage = entity.properties[index].storageClass else { continue }
      resolutions.append(
        SaveResolution(
          objectID: id, entityName: entity.name, property: entity.properties[index].name,
          outcome: outcome, was: update.base.scalar(index, storage),
          theirs: theirs?.scalar(index, storage), mine: update.row.scalar(index, storage)))
    }
  }

  /// Records what the policy has made of a deletion.
  func note(
    _ outcome: SaveResolution.Outcome, deletionOf id: ManagedObjectID, of entity: EntityLayout
  ) {
    resolutions.append(
      SaveResolution(
        objectID: id, entityName: entity.name, property: nil, outcome: outcome, was: nil,
        theirs: nil, mine: nil))
  }

  func named(_ row: RowPointer, of entity: EntityLayout) -> NamedObject {
    NamedObject(
      coordinator.id(row.key, of: entity), entity: entity.name, store: coordinator.storeIdentifier)
  }
}

/// Where an end of a one-to-one link is led.
struct LinkChange {
  /// The partner's key, if any.
  let partner: Int64?
}

/// A layer that its receiver can accept.
package struct CheckedLayer {
  /// The layer, its changes adapted where other saves were quicker.
  package let layer: Layer
  /// What the policy has decided.
  package let resolutions: [SaveResolution]
  /// Whether objects that have the layer's values must look at what became of them.
  package let isNoticed: Bool
  /// The objects of which the policy has dropped all that the layer has changed.
  let droppedObjects: Set<ManagedObjectID>
}

/// One of the rules by which a layer is made acceptable to its receiver.
///
/// A rule keeps nothing: it reads the layer and the receiver, and notes in the draft what it decides.
protocol PushRule {
  var draft: PushDraft { get }
}

extension PushRule {
  var receiver: PushReceiver { draft.receiver }
  var coordinator: PersistentStoreCoordinator { draft.receiver.coordinator }
  var policy: MergePolicy { draft.policy }
}

/// The one-to-one links that go with what a policy has decided about objects of a layer.
struct DecidedLinks {
  /// Those of new objects that turned out to be others.
  var becoming: [BecomingLink] = []
  /// Those of objects that come back, which the layer itself does not change.
  var restored: [RestoredLink] = []
}

/// A one-to-one link of a deleted object, or of a new object in whose place there is an existing one.
struct BecomingLink {
  /// The other one, which stays; or the one that is deleted.
  let object: ManagedObjectID
  let property: Int
  /// The partner of the new object.
  let mine: Int64?
  /// The partner of the other one.
  let theirs: Int64?
  /// Whether the other one gets the new one's partner.
  let isWritten: Bool
}

/// A one-to-one link of an object that a policy brings back.
struct RestoredLink {
  let object: ManagedObjectID
  let property: Int
  /// The partner that it had.
  let mine: Int64
}

extension PushDraft {
  /// Notes the one-to-one links of a new object that turns out to be another one, which may have others.
  /// - Parameter written: The properties that the other one gets from the new one.
  func noteLinks(
    _ row: RowPointer, becoming other: RowPointer, of entity: EntityLayout, written: PropertySet
  ) {
    for index in entity.digest.oneToOnes.indices {
      let mine = row.isNull(index) ? nil : row.slot(index)
      let theirs = other.isNull(index) ? nil : other.slot(index)
      if mine == theirs { continue }
      decidedLinks.becoming.append(
        BecomingLink(
          object: receiver.coordinator.id(other.key, of: entity), property: index, mine: mine,
          theirs: theirs,
          isWritten: written.contains(index)))
    }
  }

  /// Notes the one-to-one links of an object that is deleted although it leads to another partner by now:
  /// that one leads nowhere then.
  func noteLinks(deleting row: RowPointer, id: ManagedObjectID, of entity: EntityLayout) {
    for index in entity.digest.oneToOnes.indices
    where !row.isNull(index) && entity.properties[index].deleteRule == .nullify {
      decidedLinks.becoming.append(
        BecomingLink(
          object: id, property: index, mine: nil, theirs: row.slot(index), isWritten: true))
    }
  }

  /// Notes the links of a restored row that the layer itself does not change.
  func noteLinks(
    restoring row: RowPointer, edited: PropertySet, id: ManagedObjectID, of entity: EntityLayout
  ) {
    for index in entity.digest.oneToOnes.subtracting(edited).indices where !row.isNull(index) {
      decidedLinks.restored.append(RestoredLink(object: id, property: index, mine: row.slot(index)))
    }
  }
}
