import CauldronLedger
import CauldronModel
import CauldronStore

/// Gives the objects of ordered relationships their places.
///
/// The place of an object in an ordered relationship is a number that belongs to the reference that
/// leads back: in the object's own row, or in that of the link. So a move is an edit like others.
package struct Ordering {
  let reader: Reader

  var editor: Editor { Editor(reader: reader) }
  var walker: Walker { Walker(reader: reader) }
  private var place: Place { reader.place }

  /// Whether putting an object into a relationship reads the relationship: what the running event did is to
  /// be published first.
  func mustRead(_ object: ManagedObject, through property: PropertyLayout) -> Bool {
    // Only the running event leads to an object that it has made, and a walk takes the event in.
    property.isOrdered && !object.isUntold && walker.mustRead(object, through: property)
  }

  /// The place behind all others in a relationship, where one is put at the end.
  /// - Complexity: One statement, if the relationship was not walked; none for a new object.
  func nextPlace(
    of object: ManagedObject, through property: PropertyLayout, for other: ManagedObject
  ) -> Int64 {
    if object.isUntold, object.extras?.toMany[property.index] == nil,
      object.extras?.hasUnknownLists != true
    {
      // Nothing has been put into it yet.
      object.makeExtras().toMany[property.index] = ToManyCache(ordered: [])
      walker.walks.noteWalk()
    }
    _ = walker.toManyIDs(of: object, through: property)
    let id = other.objectID
    let saved = savedPlace(of: id, in: object, property)
    return object.extras?.toMany[property.index]?.nextPlace(for: id.key, saved: saved)
      ?? OrderKey.after(nil)
  }

  /// Reads the orders that an object has places in, of all objects at once: a later walk would go through all
  /// that the event has linked meanwhile.
  /// - Complexity: One statement for each order that was not walked.
  func prepare(_ objects: [ManagedObject], at index: Int) {
    for object in objects {
      let property = object.layout.properties[index]
      if mustRead(object, through: property) { _ = walker.toManyIDs(of: object, through: property) }
    }
  }

  /// Places of a link, by the join's properties that lead to the two objects.
  package typealias Places = (far: Int64, near: Int64)

  /// The places of two objects that are linked now.
  func places(
    of object: ManagedObject, through property: PropertyLayout, to other: ManagedObject
  ) -> Places {
    guard let inverse = property.destination?.inverse else { return (0, 0) }
    let back = other.layout.properties[inverse]
    return (
      property.isOrdered ? nextPlace(of: object, through: property, for: other) : 0,
      back.isOrdered ? nextPlace(of: other, through: back, for: object) : 0
    )
  }

  /// Gives a link that nobody has seen its places.
  func setPlaces(_ places: Places, of link: ManagedObject, by join: PropertyLayout.Join) {
    for (end, place) in [(join.far, places.far), (join.near, places.near)] {
      guard let slot = join.entity.properties[end].orderSlot else { continue }
      RowPointer(link.row).setCompanion(place, at: slot)
    }
  }

  /// Puts the destinations of an ordered relationship in another order.
  /// - Parameter ids: All of them.
  /// - Complexity: O(*n* log *n*); as few objects as possible are changed.
  func arrange(
    _ object: ManagedObject, through property: PropertyLayout, in ids: [ManagedObjectID]
  ) {
    let before = walker.toManyIDs(of: object, through: property)
    guard before != ids, let cache = object.extras?.toMany[property.index] else { return }
    arrange(object, through: property, in: ids, from: zip(before, cache.places))
  }

  /// - Parameter known: The places that the objects have.
  private func arrange(
    _ object: ManagedObject, through property: PropertyLayout, in ids: [ManagedObjectID],
    from known: some Sequence<(ManagedObjectID, Int64)>
  ) {
    let known = Dictionary(known) { first, _ in first }
    let saved = ids.map { savedPlace(of: $0, in: object, property) ?? known[$0] }
    let places = OrderKey.arranged(saved, keys: ids.map(\.key))
    for (id, place) in zip(ids, places) where known[id] != place {
      write(place, of: id, in: object, through: property)
    }
    object.extras?.toMany[property.index]?.arrange(ids, at: places)
    object.noteChange(of: property.index)
  }

  /// Puts some of the destinations of an ordered relationship next to one another; the others stay as
  /// they are, unless there is no room.
  /// - Complexity: O(*n*).
  func place(
    _ ids: [ManagedObjectID], at position: Int, in object: ManagedObject,
    through property: PropertyLayout
  ) {
    let before = walker.toManyIDs(of: object, through: property)
    let known = object.extras?.toMany[property.index]?.places ?? []
    object.noteChange(of: property.index)
    let saved = ids.compactMap { savedPlace(of: $0, in: object, property) }
    guard let run = object.extras?.toMany[property.index]?.place(ids, at: position, saved: saved)
    else {
      let moved = Set(ids)
      var all = before.filter { !moved.contains($0) }
      all.insert(contentsOf: ids, at: min(position, all.count))
      return arrange(object, through: property, in: all)
    }
    if let cache = object.extras?.toMany[property.index], cache.isSetBack {
      return arrange(object, through: property, in: cache.keys, from: zip(before, known))
    }
    let wanted = Set(ids)
    var old: [ManagedObjectID: Int64] = [:]
    for (id, place) in zip(before, known) where wanted.contains(id) { old[id] = place }
    for (id, place) in zip(ids, run) where old[id] != place {
      write(place, of: id, in: object, through: property)
    }
  }

  /// The place of an object before the context edited it. An object that returns there gets the same place
  /// again, and is not edited any more.
  /// - Returns: Nil where the context has not edited it, or it was not in the relationship.
  /// - Complexity: Constant; O(own layers) for a link that was taken away and made again.
  private func savedPlace(
    of id: ManagedObjectID, in object: ManagedObject, _ property: PropertyLayout
  ) -> Int64? {
    if let join = property.join { return savedPlace(ofLink: id, of: object, join) }
    guard let destination = property.destination,
      let other = reader.registry.object(id.key, root: destination.entity.rootNumber),
      let slot = other.layout.properties[destination.inverse].orderSlot,
      let row = other.extras?.edits.committed?.row,
      !row.isNull(destination.inverse), row.slot(destination.inverse) == object.key
    else { return nil }
    return row.slot(slot)
  }

  private func savedPlace(
    ofLink id: ManagedObjectID, of object: ManagedObject, _ join: PropertyLayout.Join
  ) -> Int64? {
    let key = walker.joinKey(from: object.key, to: id.key, by: join)
    guard let slot = join.entity.properties[join.far].orderSlot else { return nil }
    if let link = reader.registry.object(key, root: join.entity.number), !link.isNew, link.hasRow {
      return (link.extras?.edits.committed?.row ?? RowPointer(link.row)).slot(slot)
    }
    return deletedLink(place.coordinator.id(key, of: join.entity))?.slot(slot)
  }

  /// The row of a link that an earlier event of the context has taken away.
  private func deletedLink(_ id: ManagedObjectID) -> RowPointer? {
    let ledger = place.coordinator.ledger
    guard ledger.pendingKind(id, in: place.node) == .deletion else { return nil }
    for layer in ledger.droppable(of: place.node).own {
      if case .deleted(let deletion)? = layer.changes.change(id) {
        return deletion.base
      }
    }
    return nil
  }

  private func write(
    _ place: Int64, of id: ManagedObjectID, in object: ManagedObject,
    through property: PropertyLayout
  ) {
    if let join = property.join {
      let key = walker.joinKey(from: object.key, to: id.key, by: join)
      let link =
        unsavedLink(key, by: join)
        ?? reader.object(with: self.place.coordinator.id(key, of: join.entity))
      guard let slot = join.entity.properties[join.far].orderSlot, let link else { return }
      write(place, at: slot, of: link)
    } else if let inverse = property.destination?.inverse, let other = reader.object(with: id),
      let slot = other.layout.properties[inverse].orderSlot
    {
      write(place, at: slot, of: other)
    }
  }

  /// The link with a key, if the context has changed it; a leftover of an older change is dropped,
  /// as it lacks later changes from elsewhere.
  func unsavedLink(_ key: Int64, by join: PropertyLayout.Join) -> ManagedObject? {
    let root = join.entity.number
    guard let link = reader.registry.object(key, root: root) else { return nil }
    let isEdited = link.isNew || link.hasOwnChanges
    if !link.isGone, isEdited, !walker.isOvertaken(link) { return link }
    reader.registry.remove(key, root: root)
    return nil
  }

  private func write(_ place: Int64, at slot: Int, of object: ManagedObject) {
    if !object.isWritable { editor.prepareWrite(object) }
    RowPointer(object.row).setCompanion(place, at: slot)
  }
}
