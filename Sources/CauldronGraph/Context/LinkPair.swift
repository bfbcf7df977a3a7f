package import CauldronModel

/// Two objects that a many-to-many relationship links, or is to link.
package struct LinkPair {
  let object: ManagedObject
  /// The relationship that leads from `object` to `other`.
  let property: PropertyLayout
  let join: PropertyLayout.Join
  let other: ManagedObject

  package init(
    _ object: ManagedObject, through property: PropertyLayout, by join: PropertyLayout.Join,
    to other: ManagedObject
  ) {
    self.object = object
    self.property = property
    self.join = join
    self.other = other
  }

  /// The key of the link; nil where one of the objects cannot be linked.
  var fitKey: Int64? { JoinKey.key(object.key, other.key, isSwapped: join.near == 1) }

  /// Whether both objects are neither deleted nor gone.
  var isAlive: Bool { object.isAlive && other.isAlive }

  /// The same link from the other object, where the relationship is its own inverse; that of an object with
  /// itself has none.
  var twin: LinkPair? {
    guard let end = property.destination, end.entity.properties[end.inverse].isHidden,
      object !== other
    else { return nil }
    return LinkPair(
      other, through: other.layout.properties[property.index], by: join, to: object)
  }

  // MARK: Relationships that were walked

  /// Whether the relationship of the first object was walked.
  var isWalked: Bool { object.extras?.toMany[property.index] != nil }

  /// Whether the two are linked, where a relationship that was walked says so; else nil.
  ///
  /// Walks leave out deleted objects, though a deny rule has left their links.
  var isLinkedAsWalked: Bool? {
    if object.isDoomed || other.isDoomed { return nil }
    if let isIn = object.extras?.toMany[property.index]?.contains(other.objectID) { return isIn }
    guard let inverse = property.destination?.inverse else { return nil }
    return other.extras?.toMany[inverse]?.contains(object.objectID)
  }

  /// Adds the objects to each other's relationships, where these were walked.
  /// - Parameter places: The places of the new link, where it has some.
  func noteLink(at places: Ordering.Places? = nil) {
    guard let inverse = noteChange() else { return }
    object.extras?.toMany[property.index]?.insert(other.objectID, place: places?.far)
    other.extras?.toMany[inverse]?.insert(object.objectID, place: places?.near)
  }

  /// Takes the objects out of each other's relationships, where these were walked.
  func noteUnlink() {
    guard let inverse = noteChange() else { return }
    object.extras?.toMany[property.index]?.remove(other.objectID)
    other.extras?.toMany[inverse]?.remove(object.objectID)
  }

  /// Has both relationships be walked anew.
  func forgetLists() {
    object.extras?.forgetList(property.index)
    if let inverse = property.destination?.inverse { other.extras?.forgetList(inverse) }
  }

  /// Notes that the relationships of both objects have changed; returns the index of the far one.
  private func noteChange() -> Int? {
    guard let inverse = property.destination?.inverse else { return nil }
    object.noteChange(of: property.index)
    other.noteChange(of: inverse)
    return inverse
  }
}
