import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Logging

extension Restorer {
  /// Gives properties of an object the values of a row.
  ///
  /// Changes made elsewhere since the object showed the row before the edit count as newer than the
  /// edit: the save finds the conflict.
  /// - Parameter left: The ends of one-to-one links that are left as a child has saved them.
  func restore(
    _ object: ManagedObject, by edit: Restoration.Edit, leaving left: PropertySet = PropertySet(),
    names: inout UndoNames
  ) {
    let (from, to) = (edit.from, edit.to)
    if object.isFault { core.reader.fire(object) }
    core.drafts.endUntracked(object)
    var overtaken = PropertySet()
    for index in edit.properties.indices {
      let property = object.layout.properties[index]
      if left.contains(index) {
        noteLeft(object, at: index)
        continue
      }
      if property.derivation != nil || shows(object, at: property, as: to, names: names) {
        continue
      }
      if !shows(object, at: property, as: from, names: names) {
        if isLeft(object, at: index) { continue }
        if !hasEdited(object, at: index) { overtaken.insert(index) }
      }
      switch property.kind {
      case .attribute: copy(index, from: to, to: object)
      case .toOne: restore(reference: property, of: object, to: to, &names)
      case .toMany, .transient: continue
      }
    }
    if !overtaken.isEmpty { overtake(object, properties: overtaken, from: from) }
  }

  /// Whether ``restore(_:by:names:)`` gives a property the value of a row, or it has that value.
  func willRestore(
    _ index: Int, of object: ManagedObject, by edit: Restoration.Edit, names: UndoNames
  ) -> Bool {
    if object.isFault { core.reader.fire(object) }
    let property = object.layout.properties[index]
    return shows(object, at: property, as: edit.to, names: names)
      || shows(object, at: property, as: edit.from, names: names)
      || !LeftEnds.isSavedByChild(object, at: index, in: core)
  }

  /// Whether a property is left alone, because a child has saved another value of it into the context
  /// since: in the context itself that could be no conflict, and would be lost.
  private func isLeft(_ object: ManagedObject, at index: Int) -> Bool {
    guard LeftEnds.isSavedByChild(object, at: index, in: core) else { return false }
    noteLeft(object, at: index)
    return true
  }

  private func noteLeft(_ object: ManagedObject, at index: Int) {
    let name = object.layout.properties[index].name
    coordinator.logger.notice(
      """
      "\(core.name)" leaves \(object.layout.name).\(name) as it is, which a child has saved since \
      what is undone.
      """,
      metadata: [
        "context": "\(core.name)", "object": "\(object.registeredID)", "property": "\(name)",
      ])
  }

  /// Has ends of one-to-one links lead again where they led before the step and after it: a former partner that
  /// was restored has let go of them.
  func restate(_ object: ManagedObject, by edit: Restoration.Edit, names: UndoNames) {
    for index in edit.restated.indices {
      let property = object.layout.properties[index]
      guard core.keys.reference(of: object, property) == nil,
        let id = UndoPlanner(core).reference(in: edit.to, through: property, names: names),
        let destination = core.reader.object(with: id), isThere(destination, names: names)
      else { continue }
      core.editor.writeReference(of: object, through: property, to: destination)
    }
  }

  /// Has the deletion of an object count as made before what others have changed since it was like a row.
  func standBehindOthers(_ object: ManagedObject, row: RowPointer, names: UndoNames) {
    if object.isNew { return }
    if object.isFault { core.reader.fire(object) }
    var overtaken = PropertySet()
    for property in object.layout.properties where property.derivation == nil {
      guard property.kind == .toOne || property.attributeType != nil,
        !shows(object, at: property, as: row, names: names), !hasEdited(object, at: property.index)
      else { continue }
      overtaken.insert(property.index)
    }
    if overtaken.isEmpty { return }
    if !object.isWritable { core.editor.prepareWrite(object) }
    overtake(object, properties: overtaken, from: row)
    // A row of that version and another one are not the same, whatever the values are.
    object.extras?.edits.eventBase?.row.setVersion(row.version)
  }

  /// Whether a property has the value of a row.
  private func shows(
    _ object: ManagedObject, at property: PropertyLayout, as row: RowPointer, names: UndoNames
  ) -> Bool {
    guard property.kind == .toOne else {
      return !RowPointer(object.row).difference(from: row, object.layout).contains(property.index)
    }
    return core.keys.reference(of: object, property)
      == UndoPlanner(core).reference(in: row, through: property, names: names)
      && core.walker.place(RowPointer(object.row), reference: property.index)
        == core.walker.place(row, reference: property.index)
  }

  /// Whether the context itself has changed a property, and not saved it.
  private func hasEdited(_ object: ManagedObject, at index: Int) -> Bool {
    guard object.isEdited, let committed = object.extras?.edits.committed else {
      return false
    }
    return RowPointer(object.row).difference(from: committed.row, object.layout).contains(index)
  }

  private func copy(_ index: Int, from row: RowPointer, to object: ManagedObject) {
    if !object.isWritable { core.editor.prepareWrite(object) }
    object.noteChange(of: index)
    let new = core.drafts.builder.copyProperty(
      index, from: row, to: RowPointer(object.row), object.layout)
    if new.words != object.row { object.move(to: new) }
  }

  /// Has a to-one relationship lead where it leads in a row, and be in the same place there.
  func restore(
    reference property: PropertyLayout, of object: ManagedObject, to row: RowPointer,
    _ names: inout UndoNames
  ) {
    var destination = UndoPlanner(core).reference(in: row, through: property, names: names).flatMap
    {
      core.reader.object(with: $0)
    }
    if let missing = destination, !isThere(missing, names: names) {
      let held = row.held(by: row.block)
      names.postpone(
        .reference(object.registeredID, property.index, held), until: missing.registeredID)
      // As the rule has left it, where it still leads there.
      if core.keys.reference(of: object, property) == missing.registeredID { return }
      destination = nil
    }
    let place = property.orderSlot.map { row.slot($0) }
    if property.isOneToOne, let destination, core.keys.reference(of: object, property) == nil {
      return core.relations.giveBack(object, through: property, leadingTo: destination)
    }
    core.relations.setReference(of: object, through: property, to: destination, at: place)
    guard let destination, let place, let slot = property.orderSlot,
      RowPointer(object.row).slot(slot) != place
    else { return }
    if !object.isWritable { core.editor.prepareWrite(object) }
    RowPointer(object.row).setCompanion(place, at: slot)
    forgetOrder(of: destination, property.destination?.inverse)
  }

  /// A relationship is read again, in another order.
  private func forgetOrder(of object: ManagedObject, _ index: Int?) {
    guard let index else { return }
    object.makeExtras().forgetList(index)
    object.noteChange(of: index)
  }

  /// Has edits of the running event count as made before what others have changed.
  private func overtake(_ object: ManagedObject, properties: PropertySet, from: RowPointer) {
    guard !object.isNew, let extras = object.extras, extras.edits.eventBase != nil else { return }
    core.drafts.builder.close()
    core.drafts.forgetReferences()
    extras.edits.placeBeforeMerge(
      properties, from: from, of: object.layout, builder: &core.drafts.builder)
  }

  // MARK: Links

  /// Links two objects, in the places that a link had.
  /// - Parameter onlyIfLinked: Whether a link that others have taken away meanwhile is left alone.
  func restore(
    _ link: Restoration.Link, names: inout UndoNames, onlyIfLinked: Bool = false
  ) {
    guard let (object, property, join, other) = ends(of: link, names) else {
      if !onlyIfLinked, !restoreDenied(link, names: names) { postpone(link, names: &names) }
      return
    }
    let pair = LinkPair(object, through: property, by: join, to: other)
    if !core.links.isLinked(pair) {
      if onlyIfLinked { return }
      core.links.link(pair, isApart: true, at: places(of: link, join)) { false }
    }
    guard join.entity.slotCount > 2,
      let row = core.reader.object(
        with: coordinator.id(
          core.walker.joinKey(from: object.key, to: other.key, by: join), of: join.entity))
    else { return }
    for end in [join.near, join.far] {
      guard let slot = join.entity.properties[end].orderSlot,
        RowPointer(row.row).slot(slot) != link.row.slot(slot)
      else { continue }
      if !row.isWritable { core.editor.prepareWrite(row) }
      RowPointer(row.row).setCompanion(link.row.slot(slot), at: slot)
    }
    forgetOrder(of: object, property.index)
    forgetOrder(of: other, property.destination?.inverse)
  }

  /// Makes a link again of which one object stays deleted, as a rule that denies that deletion has left
  /// the link: the save has to find it.
  /// - Returns: Whether it is such a link.
  private func restoreDenied(_ link: Restoration.Link, names: UndoNames) -> Bool {
    guard let (object, property, join, other) = objects(of: link, names),
      let inverse = property.destination?.inverse
    else { return false }
    let back = other.layout.properties[inverse]
    let isLeft =
      isThere(other, names: names)
      ? object.isDoomed && object.ruleOfDeletion(property) == .deny
      : isThere(object, names: names) && other.isDoomed && other.ruleOfDeletion(back) == .deny
    guard isLeft else { return false }
    core.links.linkDoomed(
      LinkPair(object, through: property, by: join, to: other), at: places(of: link, join))
    return true
  }

  private func places(
    of link: Restoration.Link, _ join: PropertyLayout.Join
  ) -> Ordering.Places {
    func place(_ end: Int) -> Int64 {
      join.entity.properties[end].orderSlot.map { link.row.slot($0) } ?? 0
    }
    return (far: place(join.far), near: place(join.near))
  }

  /// Has a link wait until all that it links is there.
  private func postpone(_ link: Restoration.Link, names: inout UndoNames) {
    let ends = link.ends.map { names.current($0, follow: core.keys.followed) }
    let missing = ends.first { id in
      core.reader.object(with: id).map { isThere($0, names: names) } != true
    }
    let held = link.row.held(by: link.row.block)
    if let missing { names.postpone(.link(held, link.join, ends: ends), until: missing) }
  }

  /// Carries out what has waited for an object.
  /// - Parameter former: The ID that it had before it came back.
  func restorePostponed(_ former: ManagedObjectID, names: inout UndoNames) {
    for postponed in names.takePostponed(until: former) {
      switch postponed {
      case .link(let row, let join, let ends):
        restore(Restoration.Link(row: row.row, join: join, ends: ends), names: &names)
      case .reference(let id, let index, let row):
        guard let object = core.reader.object(with: names.current(id, follow: core.keys.followed)),
          object.isAlive
        else { continue }
        // Who has led it elsewhere meanwhile knows better.
        let property = object.layout.properties[index]
        let current = core.keys.reference(of: object, property)
        if current == nil || current == former {
          restore(reference: property, of: object, to: row.row, &names)
        }
      }
    }
  }

  /// Takes a link away, if it is there.
  func remove(_ link: Restoration.Link, names: UndoNames) {
    guard let (object, property, join, other) = ends(of: link, names) else { return }
    core.links.unlink(LinkPair(object, through: property, by: join, to: other))
  }

  /// The objects of a link, and the relationship that leads from the one to the other; nil where one of
  /// them is not there any more.
  private func ends(
    of link: Restoration.Link, _ names: UndoNames
  ) -> (ManagedObject, PropertyLayout, PropertyLayout.Join, ManagedObject)? {
    guard let ends = objects(of: link, names), isThere(ends.0, names: names),
      isThere(ends.3, names: names)
    else {
      return nil
    }
    return ends
  }

  /// The same, whether they are there or not.
  private func objects(
    of link: Restoration.Link, _ names: UndoNames
  ) -> (ManagedObject, PropertyLayout, PropertyLayout.Join, ManagedObject)? {
    guard
      let first = core.reader.object(with: names.current(link.ends[0], follow: core.keys.followed)),
      let second = core.reader.object(
        with: names.current(link.ends[1], follow: core.keys.followed)),
      let end = link.join.properties.first?.destination
    else { return nil }
    let property = first.layout.properties[end.inverse]
    return property.join.map { (first, property, $0, second) }
  }

  private func isThere(_ object: ManagedObject, names: UndoNames) -> Bool {
    object.isAlive && !names.late.contains(object.registeredID)
  }
}
