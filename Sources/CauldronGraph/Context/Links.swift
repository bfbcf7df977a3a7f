import CauldronLedger
import CauldronModel
import CauldronStore

/// Makes and takes away links of many-to-many relationships.
///
/// A link of a many-to-many relationship is a row of the join, and while the context has changed it
/// an object, too, so that it is published, saved, rolled back and given back as all objects are.
package struct Links {
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
    _ object: ManagedObject, through property: PropertyLayout, all others: [ManagedObject],
    beforePlaces publish: ([ManagedObject]) -> Bool
  ) {
    guard let join = property.join else { return }
    keys.followExchanges()
    let pairs = others.map { LinkPair(object, through: property, by: join, to: $0) }
    let apart = pairs.count > 2 ? unlinked(pairs) : []
    guard let inverse = property.destination?.inverse, join.entity.slotCount > 2 else {
      for pair in pairs { link(pair, isApart: apart.contains(pair.other.key)) { false } }
      return
    }
    var new: [LinkPair] = []
    for pair in pairs {
      if ordering.unsavedLink(key(of: pair), by: join) != nil {
        link(pair) { publish([pair.other]) }
      } else if apart.contains(pair.other.key) || !isLinked(pair) {
        new.append(pair)
      }
    }
    guard !new.isEmpty else { return }
    let added = new.map(\.other)
    let isApart = !publish(added)
    ordering.prepare(added, at: inverse)
    for pair in new { link(pair, isApart: isApart) { false } }
  }

  /// The keys of those objects that the store and the contexts above do not link with an object; none
  /// where that is not to be asked, or known.
  private func unlinked(_ pairs: [LinkPair]) -> Set<Int64> {
    guard let first = pairs.first, !first.object.isNew, !first.isWalked else { return [] }
    let join = first.join
    var ends: [Int64: Int64] = [:]
    for pair in pairs where !pair.other.isNew {
      if let key = pair.fitKey { ends[key] = pair.other.key }
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
  package func link(
    _ pair: LinkPair, isApart: Bool = false, at places: Ordering.Places? = nil,
    beforePlaces publish: () -> Bool
  ) {
    keys.followExchanges()
    let join = pair.join
    guard pair.isAlive else { return }
    if let link = ordering.unsavedLink(key(of: pair), by: join) {
      if !link.isDeleted { return }
      if link.isInEvent {
        // Nobody has seen that it was taken away.
        link.change { $0.takeDeletionBack() }
        pair.noteLink()
        guard join.entity.slotCount > 2, places == nil else { return }
        if publish(), link.isDeleted || !pair.isAlive { return }
        return pair.noteLink(at: moveToEnd(link, of: pair))
      }
      registry.remove(link.key, root: join.entity.number)
    } else if !isApart, isLinked(pair) {
      return
    }
    // Before the event has the link; keys may be exchanged meanwhile.
    if places == nil, publish() {
      // Hooks may have linked the two, or one of them has gone with what the event has deleted.
      return link(pair) { false }
    }
    let places = places ?? self.places(of: pair)
    let link = makeLink(pair)
    ordering.setPlaces(places, of: link, by: join)
    drafts.touch(link)
    pair.noteLink(at: places)
  }

  /// Makes a link again of which one object is deleted: no walk of the other one shows it.
  package func linkDoomed(_ pair: LinkPair, at places: Ordering.Places) {
    keys.followExchanges()
    if let link = ordering.unsavedLink(key(of: pair), by: pair.join) {
      if !link.isDeleted { return }
      if link.isInEvent { return link.change { $0.takeDeletionBack() } }
      registry.remove(link.key, root: pair.join.entity.number)
    }
    let link = makeLink(pair)
    ordering.setPlaces(places, of: link, by: pair.join)
    drafts.touch(link)
    // The deleted one shows what it led to, once that is walked anew.
    pair.forgetLists()
  }

  /// Gives a link that was taken away and is made again the places of a new one.
  private func moveToEnd(_ link: ManagedObject, of pair: LinkPair) -> Ordering.Places {
    // A walk for the places finds it where it was: it is behind all others once it is not among them.
    _ = places(of: pair)
    pair.noteUnlink()
    let places = self.places(of: pair)
    if !link.isWritable { editor.prepareWrite(link) }
    ordering.setPlaces(places, of: link, by: pair.join)
    return places
  }

  private func places(of pair: LinkPair) -> Ordering.Places {
    ordering.places(of: pair.object, through: pair.property, to: pair.other)
  }

  private func key(of pair: LinkPair) -> Int64 {
    walker.joinKey(from: pair.object.key, to: pair.other.key, by: pair.join)
  }

  /// Takes the link of two objects away, if they are linked.
  package func unlink(_ pair: LinkPair) {
    keys.followExchanges()
    // What cannot be read may be there; that nobody would take it away must not go unnoticed.
    guard isLinked(pair, ifUnread: true) else { return }
    deleteLink(key(of: pair), by: pair.join, of: pair.object, to: pair.other.objectID)
    pair.noteUnlink()
  }

  /// Takes every link of an object away that is deleted; the object itself still shows them.
  func unlinkAll(
    _ object: ManagedObject, through property: PropertyLayout, by join: PropertyLayout.Join
  ) {
    for id in walker.toManyIDs(of: object, through: property) {
      if let link = deleteLink(
        walker.joinKey(from: object.key, to: id.key, by: join), by: join, of: object, to: id)
      {
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
  package func isLinked(_ pair: LinkPair, ifUnread: Bool = false) -> Bool {
    keys.followExchanges()
    let join = pair.join
    guard let key = pair.fitKey else { return false }
    if let link = ordering.unsavedLink(key, by: join) { return !link.isDeleted }
    if let isLinked = pair.isLinkedAsWalked { return isLinked }
    // What only this context has, only this context can have linked; or a child, and then the second
    // link is one with the first.
    if isMadeHereAlone(pair.object) || isMadeHereAlone(pair.other) { return false }
    Ancestors(place).publish()
    do {
      return try place.coordinator.read(for: place.node, isShort: true) {
        try $0.row(key, of: join.entity, builder: &drafts.builder)
      }.0 != nil
    } catch {
      walker.logFailedWalk(error, of: pair.object, through: pair.property)
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
    _ key: Int64, by join: PropertyLayout.Join, of object: ManagedObject, to other: ManagedObjectID
  ) -> ManagedObject? {
    if let own = ordering.unsavedLink(key, by: join), isMadeElsewhereToo(own, of: object, to: other)
    {
      forgetOwn(own)
    }
    let link =
      ordering.unsavedLink(key, by: join) ?? takenLink(key, by: join, of: object, to: other)
    guard link.isAlive else { return nil }
    editor.markDeleted(link)
    return link
  }

  /// A link that is to be deleted, with its places: made again there, or by an undo, it is as it was.
  /// - Complexity: One statement where the relationship is ordered.
  private func takenLink(
    _ key: Int64, by join: PropertyLayout.Join, of object: ManagedObject, to other: ManagedObjectID
  ) -> ManagedObject {
    let link = makeLink(key, by: join, between: (object.objectID, other), state: .shown)
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
    _ link: ManagedObject, of object: ManagedObject, to other: ManagedObjectID
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

  private func makeLink(_ pair: LinkPair) -> ManagedObject {
    makeLink(
      key(of: pair), by: pair.join, between: (pair.object.objectID, pair.other.objectID),
      state: .new)
  }

  private func makeLink(
    _ key: Int64, by join: PropertyLayout.Join,
    between ends: (near: ManagedObjectID, far: ManagedObjectID), state: ObjectState
  ) -> ManagedObject {
    drafts.builder.close()
    let row = drafts.builder.begin(join.entity, key: key)
    for (end, id) in [(join.near, ends.near), (join.far, ends.far)] {
      row.setSlot(end, id.key)
      if let slot = join.entity.properties[end].entitySlot {
        row.setCompanion(Int64(id.entityNumber), at: slot)
      }
    }
    row.setVersion(1)
    let link = registry.makeObject(of: join.entity, key: key, row: row, state: state)
    registry.insert(link, key: key, root: join.entity.number)
    return link
  }

  /// Takes away the links of deleted objects with one another, and with themselves, which no walk shows:
  /// the store would take them along, and nobody could undo that.
  /// - Complexity: One statement for each many-to-many relationship of a few hundred objects.
  func unlinkDoomed(_ objects: [ManagedObject]) {
    for (_, family) in Dictionary(grouping: objects, by: \.entityNumber) {
      let joins = family.first?.layout.digest.relationships.compactMap(\.join) ?? []
      for join in joins {
        let byKey = Dictionary(family.map { ($0.key, $0) }) { first, _ in first }
        guard let (rows, _) = try? walker.links(of: family, by: join, most: nil) else { continue }
        rows.walk { link in
          guard let object = byKey[link.slot(join.near)], let id = walker.farID(of: link, by: join),
            keys.registeredObject(id)?.isDoomed == true
          else { return }
          deleteLink(link.key, by: join, of: object, to: id)
        }
      }
    }
  }
}
