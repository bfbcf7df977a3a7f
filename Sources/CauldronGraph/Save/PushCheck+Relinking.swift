import CauldronModel
import CauldronStore

// A row that a policy restores, or writes as a whole, has references of one-to-one relationships that the
// save has not edited. Their partners have to lead back.
extension PushCheck {
  /// Notes the links of a restored row that the layer itself does not change.
  mutating func noteLinks(
    restoring row: RowPointer, _ edited: PropertySet, _ id: ManagedObjectID, _ entity: EntityLayout
  ) {
    for index in entity.digest.oneToOnes.subtracting(edited).indices where !row.isNull(index) {
      decidedLinks.restored.append(RestoredLink(object: id, property: index, mine: row.slot(index)))
    }
  }

  /// Decides about the partners that have to lead back: one that is free does; one that leads elsewhere
  /// does where the whole row is written, and else the link is not made.
  mutating func linkAgain(_ edits: inout LinkEdits, _ sets: [EntityChanges]) {
    for (key, end) in edits.linked where !isTouched(key, end, sets) {
      guard let row = partner(key, end) else { continue }
      let other = row.isNull(end.inverse) ? nil : row.slot(end.inverse)
      if other == end.object.key { continue }
      guard let entity = coordinator.managedObjectModel.layout(number: row.entityNumber),
        let far = LinkEnd(id(key, entity), end.inverse, coordinator)
      else { continue }
      if let other {
        guard policy == .overwrite else {
          edits.drop(nil, end)
          continue
        }
        edits.unlink(other, far)
      }
      edits.relinked.append((row, end))
    }
  }

  /// The receiver's row of a partner; nil where there is none.
  mutating func partner(_ key: Int64, _ end: LinkEnd) -> RowPointer? {
    for entity in end.partner.family.map(\.entity) {
      if let row = receiver(id(key, entity), entity), row.entityNumber == entity.number {
        return row
      }
    }
    return nil
  }

  /// The update that has a partner lead back to the object.
  mutating func linked(_ row: RowPointer, _ end: LinkEnd) -> RowUpdate {
    let entity = coordinator.managedObjectModel.layout(number: row.entityNumber) ?? end.partner
    let new = builder.copy(row, entity)
    builder.close()
    new.setSlot(end.inverse, end.object.key)
    if let slot = entity.properties[end.inverse].entitySlot {
      new.setCompanion(Int64(end.object.entityNumber), at: slot)
    }
    new.setVersion(row.nextVersion)
    new.setMaker(maker())
    return RowUpdate(row: new, base: row, changed: PropertySet(CollectionOfOne(end.inverse)))
  }
}

/// A one-to-one link of an object that a policy brings back.
struct RestoredLink {
  let object: ManagedObjectID
  let property: Int
  /// The partner that it had.
  let mine: Int64
}

/// The one-to-one links that go with what a policy has decided about objects of a layer.
struct DecidedLinks {
  /// Those of new objects that turned out to be others.
  var becoming: [BecomingLink] = []
  /// Those of objects that come back, which the layer itself does not change.
  var restored: [RestoredLink] = []
}
