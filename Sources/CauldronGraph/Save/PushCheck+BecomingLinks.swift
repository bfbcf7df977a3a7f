import CauldronModel

extension PushCheck {
  /// Notes the one-to-one links of a new object that turns out to be another one, which may have others.
  /// - Parameter written: The properties that the other one gets from the new one.
  mutating func noteLinks(
    _ row: RowPointer, becoming other: RowPointer, _ entity: EntityLayout, _ written: PropertySet
  ) {
    for index in entity.digest.oneToOnes.indices {
      let mine = row.isNull(index) ? nil : row.slot(index)
      let theirs = other.isNull(index) ? nil : other.slot(index)
      if mine == theirs { continue }
      decidedLinks.becoming.append(
        BecomingLink(
          object: id(other.key, entity), property: index, mine: mine, theirs: theirs,
          isWritten: written.contains(index)))
    }
  }

  /// Notes the one-to-one links of an object that is deleted although it leads to another partner by now:
  /// that one leads nowhere then.
  mutating func noteLinks(deleting row: RowPointer, _ id: ManagedObjectID, _ entity: EntityLayout) {
    for index in entity.digest.oneToOnes.indices
    where !row.isNull(index) && entity.properties[index].deleteRule == .nullify {
      decidedLinks.becoming.append(
        BecomingLink(
          object: id, property: index, mine: nil, theirs: row.slot(index), isWritten: true))
    }
  }
}

/// A one-to-one link of a new object that turned out to be another one, or of an object that is deleted.
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
