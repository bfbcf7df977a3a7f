import CauldronLedger
package import CauldronModel
import CauldronStore

/// Sets to-one relationships, and keeps the other side in step.
///
/// A one-to-one link is two references. The two objects may have been read at different moments, so that
/// one shows the link as it was before a save, and the other one as it was afterwards. So an edit of one end
/// is an edit of all ends of the link, also of one that shows the new value already: each counts as
/// changed from the value that it showed, and the save compares each.
package struct Relations {
  private let ordering: Ordering

  init(ordering: Ordering) { self.ordering = ordering }

  private var editor: Editor { ordering.editor }
  private var reader: Reader { ordering.reader }
  private var place: Place { reader.place }
  private var registry: Registry { reader.registry }
  private var keys: ObjectKeys { reader.keys }
  private var drafts: Drafts { reader.drafts }

  /// Whether a relationship does not lead to an object; reads the row that it lies in.
  func leads(
    _ object: ManagedObject, through property: PropertyLayout, elsewhereThanTo other: ManagedObject
  ) -> Bool {
    keys.followExchanges()
    if object.isFault { reader.fire(object) }
    return keys.reference(of: object, property) != other.objectID
  }

  /// Sets a to-one relationship and keeps the other side in step.
  /// - Parameter known: The place in an ordered relationship that leads back, which is read again then; behind
  ///   all others by default.
  package func setReference(
    of object: ManagedObject, through property: PropertyLayout, to new: ManagedObject?,
    at known: Int64? = nil
  ) {
    keys.followExchanges()
    if object.isFault { reader.fire(object) }
    drafts.endUntracked(object)
    guard let destination = property.destination else { return }
    let inverse = destination.entity.properties[destination.inverse]
    if inverse.kind == .toOne {
      return setOneToOne(of: object, through: property, inverse: destination.inverse, to: new)
    }
    let old = keys.reference(of: object, property)
    if old == new?.objectID { return }
    if let old {
      let other = registry.object(old.key, root: destination.entity.root.number)
      other?.extras?.toMany[destination.inverse]?.remove(object.objectID)
      other?.noteChange(of: destination.inverse)
    }
    let place = new.flatMap {
      inverse.isOrdered ? known ?? ordering.nextPlace(of: $0, through: inverse, for: object) : nil
    }
    editor.writeReference(of: object, through: property, to: new)
    guard let new else { return }
    if let slot = property.orderSlot { RowPointer(object.row).setCompanion(place ?? 0, at: slot) }
    if known == nil {
      new.extras?.toMany[destination.inverse]?.insert(object.objectID, place: place)
    } else {
      new.makeExtras().forgetList(destination.inverse)
    }
    new.noteChange(of: destination.inverse)
  }

  // MARK: One-to-one

  /// Sets one end of a one-to-one relationship, and the ends at the other side.
  func setOneToOne(
    of object: ManagedObject, through property: PropertyLayout, inverse: Int, to new: ManagedObject?
  ) {
    let old = keys.reference(of: object, property)
    if old == new?.objectID, !isTorn(object, inverse: inverse, to: new) { return }
    // The objects are read before anything is written, because hooks may run when they are.
    let partner = old == new?.objectID ? nil : old.flatMap { try? reader.existingObject($0) }
    if let new, new.isFault { reader.fire(new) }
    let previous = new.flatMap { keys.reference(of: $0, $0.layout.properties[inverse]) }
    let other =
      previous == object.objectID ? nil : previous.flatMap { try? reader.existingObject($0) }
    if let partner, !partner.isDeleted { release(partner, at: inverse, from: object) }
    writeEnd(of: object, through: property, to: new)
    guard let new else { return }
    if let other { release(other, at: property.index, from: new) }
    writeEnd(of: new, through: new.layout.properties[inverse], to: object)
  }

  /// Whether an object that leads to another one is not led back to, as far as that is known.
  private func isTorn(_ object: ManagedObject, inverse: Int, to other: ManagedObject?) -> Bool {
    guard let other, other.isShownAlive else {
      return false
    }
    return keys.reference(of: other, other.layout.properties[inverse]) != object.objectID
  }

  /// Has a former partner lead nowhere.
  private func release(_ partner: ManagedObject, at index: Int, from object: ManagedObject) {
    let property = partner.layout.properties[index]
    let shown = keys.reference(of: partner, property)
    if shown != object.objectID {
      drafts.pending.torn.note(partner.registeredID, with: object.registeredID)
    }
    // A partner that leads to a third object was edited by a context that did not see this link.
    if shown == nil || shown == object.objectID {
      writeEnd(of: partner, through: property, to: nil)
    }
  }

  /// Writes one end. One that shows the value already counts as edited, too.
  func writeEnd(of object: ManagedObject, through property: PropertyLayout, to new: ManagedObject?)
  {
    let isShown = keys.reference(of: object, property) == new?.objectID
    if isShown, object.isNew { return }
    editor.writeReference(of: object, through: property, to: new)
    if isShown, !place.coordinator.has(.staleEnds) {
      object.makeExtras().edits.restate(property.index)
    }
  }

  /// Has a reference lead again to an object that was deleted and is there again. Where that leads back still,
  /// nothing was edited at it.
  package func giveBack(
    _ object: ManagedObject, through property: PropertyLayout, leadingTo cause: ManagedObject
  ) {
    if property.isOneToOne, let inverse = property.destination?.inverse {
      if cause.isFault { reader.fire(cause) }
      if keys.reference(of: cause, cause.layout.properties[inverse]) == object.objectID {
        return editor.writeReference(of: object, through: property, to: cause)
      }
    }
    setReference(of: object, through: property, to: cause)
  }

  // Dropping the edits of one object drops whole links: the ends that were edited with it at other objects
  // go back, too.

  /// One end of a one-to-one relationship, and the object that it leads to before edits are dropped.
  typealias EditedPair = (property: PropertyLayout, shown: ManagedObjectID?)

  /// The ends of an object whose links the context has edited, at this object, or at the partner that it had
  /// before or has without edits now.
  /// - Complexity: O(one-to-one relationships · own layers); at most one statement.
  func editedPairs(of object: ManagedObject) -> [EditedPair] {
    let ends = object.layout.digest.oneToOnes
    guard !ends.isEmpty, object.hasOwnChanges else { return [] }
    let layers = place.coordinator.ledger.unsavedLayers(of: place.node)
    let below = object.rowBelowEdits ?? RowPointer(object.row)
    let newest = try? reader.row(below: object)
    func hasChanges(_ partner: ManagedObjectID?, of property: PropertyLayout) -> Bool {
      guard let partner else { return false }
      return keys.registeredObject(partner)?.hasOwnChanges == true
        || isBrought(partner, through: property)
    }
    return ends.indices.compactMap { index in
      let property = object.layout.properties[index]
      let (shown, before) = (
        keys.reference(of: object, property), keys.reference(in: below, property)
      )
      // An end may be as it was, and an edit all the same: another context has led it elsewhere meanwhile.
      let isEdited =
        shown != before || hasChanges(before, of: property)
        || hasChanges(newest.flatMap { keys.reference(in: $0.row, property) }, of: property)
        || isEdited(object, at: index, in: layers)
      return isEdited ? (property, shown) : nil
    }
  }

  /// The ends at other objects that the context has edited together with an object's: those of all links
  /// that have edited ends in common with these, one after the other.
  /// - Complexity: O(ends · own layers).
  func editedUnit(
    of object: ManagedObject
  ) -> [(object: ManagedObject, properties: PropertySet)] {
    let own = object.layout.digest.oneToOnes
    if own.isEmpty || !object.hasOwnChanges || place.coordinator.has(.halfRefreshed) { return [] }
    let layers = place.coordinator.ledger.unsavedLayers(of: place.node)
    var unit: [ObjectIdentifier: (object: ManagedObject, properties: PropertySet)] = [:]
    var waiting = own.indices.filter { isEdited(object, at: $0, in: layers) }.map { (object, $0) }
    var seen: [ObjectIdentifier: PropertySet] = [:]
    // The partners of edited ends.
    var met: Set<ObjectIdentifier> = []
    while let (end, index) = waiting.popLast() {
      if seen[ObjectIdentifier(end)]?.contains(index) == true { continue }
      let isEdited = isEdited(end, at: index, in: layers)
      if !isEdited, !met.contains(ObjectIdentifier(end)) { continue }
      seen[ObjectIdentifier(end), default: PropertySet()].insert(index)
      let property = end.layout.properties[index]
      guard let inverse = property.destination?.inverse else { continue }
      for partner in drafts.unsavedReferrers(to: end)
      where leads(partner, back: property, to: end) {
        waiting.append((partner, inverse))
      }
      // An end that was led away and back joins the ends that lead to it, without being one of them.
      if !isEdited { continue }
      unit[ObjectIdentifier(end), default: (end, PropertySet())].properties.insert(index)
      let before = end.rowBelowEdits.flatMap { keys.reference(in: $0, property) }
      let torn = drafts.pending.torn.partners(of: end.registeredID)
      // A child's save may have led away what the context had led here.
      let made = layers.lastUpdate(of: end.registeredID, changing: index).flatMap {
        keys.reference(in: $0.row, property)
      }
      let partners = [before, keys.reference(of: end, property), made].compactMap { $0 }
      met.formUnion(partners.compactMap(keys.registeredObject).map(ObjectIdentifier.init))
      for id in partners + torn {
        guard let partner = keys.registeredObject(id), partner !== end else { continue }
        if property.destination?.entity.includes(partner.entityNumber) == true {
          waiting.append((partner, inverse))
        }
        if partner.layout.rootNumber == end.layout.rootNumber { waiting.append((partner, index)) }
      }
    }
    unit[ObjectIdentifier(object)] = nil
    return Array(unit.values)
  }

  /// Whether the partner at an end of an object leads to that, or has led there before the context edited it.
  private func leads(
    _ object: ManagedObject, back end: PropertyLayout, to other: ManagedObject
  ) -> Bool {
    guard object !== other, let destination = end.destination,
      destination.entity.includes(object.entityNumber)
    else { return false }
    let property = object.layout.properties[destination.inverse]
    return keys.reference(of: object, property) == other.objectID
      || object.rowBelowEdits.flatMap { keys.reference(in: $0, property) } == other.objectID
  }

  /// The partners of an object's edited ends hang together, also where the edits of these ends come to
  /// nothing.
  func noteLinks(joinedBy object: ManagedObject) {
    let ends = object.layout.digest.oneToOnes
    if ends.isEmpty || !object.hasOwnChanges { return }
    guard let below = object.rowBelowEdits else { return }
    for index in ends.indices {
      let property = object.layout.properties[index]
      let (old, new) = (keys.reference(in: below, property), keys.reference(of: object, property))
      if let old, let new, old != new { drafts.pending.torn.note(old, with: new) }
    }
  }

  /// Whether the context has edited one end of a link of an object that was there before.
  private func isEdited(_ object: ManagedObject, at index: Int, in layers: [Layer]) -> Bool {
    guard object.hasOwnChanges, object.isShownAlive, let below = object.rowBelowEdits,
      let edits = object.extras?.edits
    else { return false }
    let property = object.layout.properties[index]
    // Cleared by a rule, it is no edit, unless it had been led to what is deleted before.
    if edits.nullified.contains(index) {
      let before = keys.reference(in: below, property)
      return before.flatMap(keys.registeredObject)?.isAlive ?? false
    }
    if keys.reference(of: object, property) != keys.reference(in: below, property) { return true }
    if edits.restated.contains(index) { return true }
    return layers.lastUpdate(of: object.registeredID, changing: index) != nil
  }

  /// Whether a child's save has brought an edit of what leads back from a partner.
  private func isBrought(_ partner: ManagedObjectID, through property: PropertyLayout) -> Bool {
    property.destination.map { isBrought(partner, at: $0.inverse) } ?? false
  }

  /// Whether a child's save has brought an edit of a property.
  func isBrought(_ id: ManagedObjectID, at index: Int) -> Bool {
    place.coordinator.ledger.layers(touching: id, in: place.node).contains { layer in
      if layer.isUnsaved(of: place.node) { return false }
      if case .updated(let update)? = layer.changes.change(id) {
        return update.changed.subtracting(update.nullified).contains(index)
      }
      return false
    }
  }

  /// Has the partners of an object whose edits were dropped lead back to where its row leads.
  /// - Complexity: At most one statement for each object of the links.
  func giveBack(_ pairs: [EditedPair], of object: ManagedObject) {
    if place.coordinator.has(.halfRefreshed) { return }
    if object.isFault { reader.fire(object) }
    guard !object.isGone, !object.isUnread else { return }
    for (property, shown) in pairs {
      guard let inverse = property.destination?.inverse else { continue }
      let now = keys.reference(of: object, property)
      if let shown, shown != now, let partner = editedPartner(shown) {
        leave(partner, inverse: inverse, of: object, at: property.index)
      }
      guard let now else { continue }
      let isBrought = isBrought(now, through: property)
      let brought = isBrought ? reader.object(with: now) : nil
      if let partner = editedPartner(now) ?? brought {
        comeBack(to: partner, of: object, through: property, isBrought: isBrought)
      }
    }
  }

  /// A partner whose ends the context may have edited.
  private func editedPartner(_ id: ManagedObjectID) -> ManagedObject? {
    guard let object = keys.registeredObject(id),
      object.hasOwnChanges || object.isNew,
      object.isShownAlive
    else { return nil }
    return object
  }

  /// Has the partner from an object's edits refer to its own former partner again, if that one is
  /// free.
  private func leave(
    _ partner: ManagedObject, inverse: Int, of object: ManagedObject, at index: Int
  ) {
    let property = partner.layout.properties[inverse]
    guard keys.reference(of: partner, property) == object.objectID else { return }
    let before = partner.rowBelowEdits.flatMap { keys.reference(in: $0, property) }
    if before == object.objectID { return }
    guard let other = before.flatMap(keys.registeredObject),
      other.isShownAlive
    else { return writeEnd(of: partner, through: property, to: nil) }
    let end = other.layout.properties[index]
    switch keys.reference(of: other, end) {
    case partner.objectID: writeEnd(of: partner, through: property, to: other)
    case nil where other.hasOwnChanges:
      writeEnd(of: partner, through: property, to: other)
      writeEnd(of: other, through: end, to: partner)
    default: writeEnd(of: partner, through: property, to: nil)
    }
  }

  /// Has the partner to which an object's row leads lead back, if it is free; else the object does not lead
  /// there either.
  private func comeBack(
    to partner: ManagedObject, of object: ManagedObject, through property: PropertyLayout,
    isBrought: Bool
  ) {
    guard let inverse = property.destination?.inverse else { return }
    // One that leads elsewhere because it was read at another time is no edit.
    let layers = place.coordinator.ledger.unsavedLayers(of: place.node)
    if !partner.isNew, !isBrought, !isEdited(partner, at: inverse, in: layers) { return }
    if partner.isFault { reader.fire(partner) }
    if partner.isGone { return }
    // A reference that the object's own deletion has cleared comes back with the object.
    if partner.extras?.edits.nullified.contains(inverse) == true { return }
    switch keys.reference(of: partner, partner.layout.properties[inverse]) {
    case object.objectID: return
    case nil: writeEnd(of: partner, through: partner.layout.properties[inverse], to: object)
    default: editor.writeReference(of: object, through: property, to: nil)
    }
  }
}
