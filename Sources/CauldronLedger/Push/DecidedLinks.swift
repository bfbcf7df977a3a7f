import CauldronModel

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
