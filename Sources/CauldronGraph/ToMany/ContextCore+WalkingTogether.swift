import CauldronModel

extension ContextCore {
  /// Reads a to-many relationship of an object and, with the same statement, those of the objects beside
  /// it that show their rows.
  ///
  /// Only for who asks what the relationship leads to: whoever is changing one must not have others read
  /// that belong to it while the change is half made. The object is left to be read alone where nothing
  /// stands beside it, where the event has changes that are not published, and where the relationships
  /// lead to too many objects.
  /// - Complexity: One statement; where they lead to too many, one in vain; none where it was read.
  func walkTogether(_ object: ManagedObject, _ property: PropertyLayout) {
    guard object.extras?.toMany[property.index] == nil, !event.isPropagating, !event.isPublishing,
      let destination = property.destination
    else { return }
    followExchanges()
    publisher.publishForQuery()
    guard event.objects.isEmpty, object.key > 0 else { return }
    let most = groups.ownerCount(object.entityNumber, property.index)
    let owners = most > 1 ? owners(from: object, property, most) : []
    guard owners.count > 1 else { return groups.noteRead(object.entityNumber, property.index) }
    switch walk(owners[...], property, destination, most: FaultGroups.mostRows) {
    case .read: break
    case .tooMany(let rows):
      return groups.noteTooMany(owners.count, rows, object.entityNumber, property.index)
    }
    groups.noteFound(owners.count)
    groups.noteRead(object.entityNumber, property.index)
  }

  /// The object, and those beside it whose relationship was not read yet.
  private func owners(
    from object: ManagedObject, _ property: PropertyLayout, _ most: Int
  ) -> [ManagedObject] {
    let hubs = groups.hubs(object.entityNumber, property.index)
    if hubs.contains(object.key) { return [] }
    var owners = [object]
    identity.map.visit(
      from: object.key, root: object.layout.rootNumber, most: groups.reach
    ) { other in
      if other !== object, other.entityNumber == object.entityNumber, other.key > 0,
        other.isShownAlive, !other.isNew, other.extras?.toMany[property.index] == nil,
        !hubs.contains(other.key)
      {
        owners.append(other)
      }
      return owners.count < most
    }
    return owners
  }
}
