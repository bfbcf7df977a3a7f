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
      becomingLinks.append(
        BecomingLink(
          object: id(other.key, entity), property: index, mine: mine, theirs: theirs,
          isWritten: written.contains(index)))
    }
  }
}

/// A one-to-one link of a new object that turned out to be another one.
struct BecomingLink {
  /// The other one, which stays.
  let object: ManagedObjectID
  let property: Int
  /// The partner of the new object.
  let mine: Int64?
  /// The partner of the other one.
  let theirs: Int64?
  /// Whether the other one gets the new one's partner.
  let isWritten: Bool
}
