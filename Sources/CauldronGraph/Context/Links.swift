import CauldronLedger
import CauldronModel
import CauldronStore

/// Makes and takes away links of many-to-many relationships.
///
/// A link of a many-to-many relationship is a row of the join, and while the context has changed it
/// an object, too, so that it is published, saved, rolled back and given back as all objects are.
struct Links {
  let ordering: Ordering

  var editor: Editor { ordering.editor }
  var walker: Walker { ordering.walker }
  var reader: Reader { ordering.reader }
  private var place: Place { reader.place }
  private var registry: Registry { reader.registry }
  private var keys: ObjectKeys { reader.keys }
  private var drafts: Drafts { reader.drafts }

  /// Links an object with others.
  /// - Parameter publish: What comes before the orders are read that some of them get places in; answers
  ///   whether it ran anything.
  /// - Complexity: As `link`, but all that has to be read is read in one transaction.
  func link(
    _ object: ManagedObject, _ property: PropertyLayout, all others: [ManagedObject],
    beforePlaces publish: ([ManagedObject]) -> Bool
  ) {
    guard let join = property.join else { return }
    keys.followExchanges()
    let apart = others.count > 2 ? unlinked(object, property, join, others) : []
    guard let inverse = property.destination?.inverse, join.entity.slotCount > 2 else {
      for other in others {
        link(object, property, join, other, isApart: apart.contains(other.key)) { false }
      }
      return
    }
    var new: [ManagedObject] = []
    for other in others {
      if ordering.unsavedLink(walker.joinKey(object.key, other.key, join), join) != nil {
        link(object, property, join, other) { publish([other]) }
      } else if apart.contains(other.key) || !isLinked(object, property, join, other) {
        new.append(other)
      }
    }
    guard !new.isEmpty else { return }
    let isApart = !publish(new)
    ordering.prepare(new, inverse)
    for other in new { link(object, property, join, other, isApart: isApart) { false } }
  }

  /// The keys of those objects that the store and the contexts above do not link with an object; none
  /// where that is not to be asked, or known.
  private func unlinked(
    _ object: ManagedObject, _ property: PropertyLayout, _ join: PropertyLayout.Join,
    _ others: [ManagedObject]
  ) -> Set<Int64> {
    guard !object.isNew, object.extras?.toMany[property.index] == nil else {
      return []
    }
    var ends: [Int64: Int64] = [:]
    for other in others where !other.isNew {
      let key = JoinKey.key(object.key, other.key, isSwapped: join.near == 1)
      if let key { ends[key] = other.key }
    }
    let keys = Array(ends.keys)
    Ancestors(place).publish()
    let read = try? place.coordinator.read(for: place.node) {
      try $0.rows(keys, of: join.entity, builder: &drafts.builder)
    }
    guard let rows = read?.0 else { return [] }
    rows.walk { ends[$0.key] = nil }
    return Set(ends.values)
  }

  /// Links two objects, unless they are linked.
  /// - Parameters:
  ///   - isApart: Whether they are known not to be linked but for what the context itself has changed.
  ///   - places: Their places in the orders of each other; behind all others by default.
  ///   - publish: What comes before these orders are read; answers whether it ran anything.
  /// - Complexity: No statement where one of them is new or a relationship was walked, else one.
  func link(
    _ object: ManagedObject, _ property: PropertyLayout, _ join: PropertyLayout.Join,
    _ other: ManagedObject, isApart: Bool = false, at places: Ordering.Places? = nil,
    beforePlaces publish: () -> Bool
  ) {
    keys.followExchanges()
    guard object.isAlive, other.isAlive else { return }
    if let link = ordering.unsavedLink(walker.joinKey(object.key, other.key, join), join) {
      if !link.isDeleted { return }
      if link.isInEvent {
        // Nobody has seen that it was taken away.
        link.change { $0.takeDeletionBack() }
        noteLink(of: object, property, with: other)
        guard join.entity.slotCount > 2, places == nil else { return }
        if publish(), link.isDeleted || !object.isAlive || !other.isAlive { return }
        let places = moveToEnd(link, object, property, other)
        return noteLink(of: object, property, with: other, at: places)
      }
      registry.remove(link.key, root: join.entity.number)
    } else if !isApart, isLinked(object, property, join, other) {
      return
    }
    // Before the event has the link; keys may be exchanged meanwhile.
    if places == nil, publish() {
      // Hooks may have linked the two, or one of them has gone with what the event has deleted.
      return link(object, property, join, other) { false }
    }
    let places = places ?? ordering.places(of: object, property, other)
    let key = walker.joinKey(object.key, other.key, join)
    let link = makeLink(key, join, from: object, to: other.objectID, .new)
    ordering.setPlaces(places, of: link, join)
    drafts.touch(link)
    noteLink(of: object, property, with: other, at: places)
  }

  /// Makes a link again of which one object is deleted: no walk of the other one shows it.
  func linkDoomed(
    _ object: ManagedObject, _ property: PropertyLayout, _ join: PropertyLayout.Join,
    _ other: ManagedObject, at places: Ordering.Places
  ) {
    keys.followExchanges()
    let key = walker.joinKey(object.key, other.key, join)
    if let link = ordering.unsavedLink(key, join) {
      if !link.isDeleted { return }
      if link.isInEvent { return link.change { $0.takeDeletionBack() } }
      registry.remove(link.key, root: join.entity.number)
    }
    let link = makeLink(key, join, from: object, to: other.objectID, .new)
    ordering.setPlaces(places, of: link, join)
    drafts.touch(link)
    // The deleted one shows what it led to, once that is walked anew.
    object.extras?.forgetList(property.index)
    if let inverse = property.destination?.inverse { other.extras?.forgetList(inverse) }
  }

  /// Gives a link that was taken away and is made again the places of a new one.
  private func moveToEnd(
    _ link: ManagedObject, _ object: ManagedObject, _ property: PropertyLayout,
    _ other: ManagedObject
  ) -> Ordering.Places? {
    guard let join = property.join else { return nil }
    // A walk for the places finds it where it was: it is behind all others once it is not among them.
    _ = ordering.places(of: object, property, other)
    noteUnlink(of: object, property, from: other)
    let places = ordering.places(of: object, property, other)
    if !link.isWritable { editor.prepareWrite(link) }
    ordering.setPlaces(places, of: link, join)
    return places
  }

  /// Takes the link of two objects away, if they are linked.
  func unlink(
    _ object: ManagedObject, _ property: PropertyLayout, _ join: PropertyLayout.Join,
    _ other: ManagedObject
  ) {
    keys.followExchanges()
    // What cannot be read may be there; that nobody would take it away must not go unnoticed.
    guard isLinked(object, property, join, other, ifUnread: true) else { return }
    deleteLink(walker.joinKey(object.key, other.key, join), join, object, other.objectID)
    noteUnlink(of: object, property, from: other)
  }

  /// Takes every link of an object away that is deleted; the object itself still shows them.
  func unlinkAll(_ object: ManagedObject, _ property: PropertyLayout, _ join: PropertyLayout.Join) {
    for id in walker.toManyIDs(object, property) {
      if let link = deleteLink(walker.joinKey(object.key, id.key, join), join, object, id) {
        object.makeExtras().entailed.append(.deleted(link.objectID))
      }
      guard let destination = property.destination else { continue }
      let other = registry.object(id.key, root: destination.entity.rootNumber)
      other?.extras?.toMany[destination.inverse]?.remove(object.objectID)
      other?.noteChange(of: destination.inverse)
    }
  }

  /// Whether two objects are linked, as the context sees it.
  /// - Parameter ifUnread: The answer where the store cannot be read.
  func isLinked(
    _ object: ManagedObject, _ property: PropertyLayout, _ join: PropertyLayout.Join,
    _ other: ManagedObject, ifUnread: Bool = false
  ) -> Bool {
    keys.followExchanges()
    guard let key = JoinKey.key(object.key, other.key, isSwapped: join.near == 1) else {
      return false
    }
    if let link = ordering.unsavedLink(key, join) { return !link.isDeleted }
    // Walks leave out deleted objects, though a deny rule has left their links.
    let isWalked = !object.isDoomed && !other.isDoomed
    if isWalked, let isIn = object.extras?.toMany[property.index]?.contains(other.objectID) {
      return isIn
    }
    if isWalked, let inverse = property.destination?.inverse,
      let isIn = other.extras?.toMany[inverse]?.contains(object.objectID)
    {
      return isIn
    }
    // What only this context has, only this context can have linked; or a child, and then the second
    // link is one with the first.
    if isMadeHereAlone(object) || isMadeHereAlone(other) { return false }
    Ancestors(place).publish()
    do {
      return try place.coordinator.read(for: place.node, isShort: true) {
        try $0.row(key, of: join.entity, builder: &drafts.builder)
      }.0 != nil
    } catch {
      walker.logFailedWalk(error, object, property)
      return ifUnread
    }
  }

  /// Whether nobody but this context can have created an object; with a unique value others may have
  /// asked for the same one.
  private func isMadeHereAlone(_ object: ManagedObject) -> Bool {
    guard object.isNew else { return false }
    return object.layout.uniqueKeys.isEmpty
      || !place.coordinator.claims.isShared(object.key, root: object.layout.rootNumber)
  }

  /// - Returns: The link that is deleted now; nil if it was before.
  @discardableResult
  func deleteLink(
    _ key: Int64, _ join: PropertyLayout.Join, _ object: ManagedObject, _ other: ManagedObjectID
  ) -> ManagedObject? {
    if let own = ordering.unsavedLink(key, join), isMadeElsewhereToo(own, object, other) {
      forgetOwn(own)
    }
    let link = ordering.unsavedLink(key, join) ?? takenLink(key, join, object, other)
    guard link.isAlive else { return nil }
    editor.markDeleted(link)
    return link
  }

  /// A link that is to be deleted, with its places: made again there, or by an undo, it is as it was.
  /// - Complexity: One statement where the relationship is ordered.
  private func takenLink(
    _ key: Int64, _ join: PropertyLayout.Join, _ object: ManagedObject, _ other: ManagedObjectID
  ) -> ManagedObject {
    let link = makeLink(key, join, from: object, to: other, .shown)
    guard join.entity.slotCount > 2,
      let row = try? place.coordinator.read(
        for: place.node, isShort: true,
        body: { try $0.row(key, of: join.entity, builder: &drafts.builder) }
      ).0
    else { return link }
    for slot in [join.near, join.far].compactMap({ join.entity.properties[$0].orderSlot }) {
      RowPointer(link.row).setCompanion(row.row.slot(slot), at: slot)
    }
    return link
  }

  /// Whether a link that the context was to insert has come to its parent, or to the store, from somebody
  /// else: that it is not inserted does not take that one away.
  /// - Complexity: At most one statement, and none where one of the ends is new.
  private func isMadeElsewhereToo(
    _ link: ManagedObject, _ object: ManagedObject, _ other: ManagedObjectID
  ) -> Bool {
    guard link.isNew, link.isAlive,
      !isMadeHereAlone(object), keys.registeredObject(other).map(isMadeHereAlone) != true
    else { return false }
    Ancestors(place).publish()
    do {
      if try reader.row(below: link) == nil { return false }
    } catch {
      return true  // To delete a missing link does no harm.
    }
    // The context's own earlier deletion of the link is below it, too.
    let changes = place.coordinator.ledger.droppable(of: place.node).own.compactMap {
      $0.changes.change(link.registeredID)
    }
    return changes.allSatisfy { $0.kind == .insertion }
  }

  /// Takes the context's own insertion of a link back.
  private func forgetOwn(_ link: ManagedObject) {
    drafts.drop(link)
    keys.settleRefreshes()
    registry.remove(link.key, root: link.layout.rootNumber)
    link.change { $0.cancelChanges() }
  }

  private func makeLink(
    _ key: Int64, _ join: PropertyLayout.Join, from object: ManagedObject,
    to other: ManagedObjectID, _ state: ObjectState
  ) -> ManagedObject {
    drafts.builder.close()
    let row = drafts.builder.begin(join.entity, key: key)
    for (end, id) in [(join.near, object.objectID), (join.far, other)] {
      row.setSlot(end, id.key)
      if let slot = join.entity.properties[end].entitySlot {
        row.setCompanion(Int64(id.entityNumber), at: slot)
      }
    }
    row.setVersion(1)
    let link = registry.makeObject(join.entity, key, row, state)
    registry.insert(link, key, root: join.entity.number)
    return link
  }

  /// Keeps what was walked up to date.
  /// - Parameter places: The places of the new link, where it has some.
  private func noteLink(
    of object: ManagedObject, _ property: PropertyLayout, with other: ManagedObject,
    at places: Ordering.Places? = nil
  ) {
    guard let inverse = noteChange(of: object, property, and: other) else { return }
    object.extras?.toMany[property.index]?.insert(other.objectID, place: places?.far)
    other.extras?.toMany[inverse]?.insert(object.objectID, place: places?.near)
  }

  private func noteUnlink(
    of object: ManagedObject, _ property: PropertyLayout, from other: ManagedObject
  ) {
    guard let inverse = noteChange(of: object, property, and: other) else { return }
    object.extras?.toMany[property.index]?.remove(other.objectID)
    other.extras?.toMany[inverse]?.remove(object.objectID)
  }

  /// Notes that the relationships of both objects have changed; returns the index of the far one.
  private func noteChange(
    of object: ManagedObject, _ property: PropertyLayout, and other: ManagedObject
  ) -> Int? {
    guard let inverse = property.destination?.inverse else { return nil }
    object.noteChange(of: property.index)
    other.noteChange(of: inverse)
    return inverse
  }

  /// Takes away the links of deleted objects with one another, and with themselves, which no walk shows:
  /// the store would take them along, and nobody could undo that.
  /// - Complexity: One statement for each many-to-many relationship of a few hundred objects.
  func unlinkDoomed(_ objects: [ManagedObject]) {
    for (_, family) in Dictionary(grouping: objects, by: \.entityNumber) {
      let joins = family.first?.layout.digest.relationships.compactMap(\.join) ?? []
      for join in joins {
        let byKey = Dictionary(family.map { ($0.key, $0) }) { first, _ in first }
        guard let (rows, _) = try? walker.links(of: family, join, nil) else { continue }
        rows.walk { link in
          guard let object = byKey[link.slot(join.near)], let id = walker.farID(link, join),
            keys.registeredObject(id)?.isDoomed == true
          else { return }
          deleteLink(link.key, join, object, id)
        }
      }
    }
  }
}
