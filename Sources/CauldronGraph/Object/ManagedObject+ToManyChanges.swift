import CauldronModel

/// What the context has changed of a to-many relationship, from whichever side.
struct ToManyChange {
  private var added: [ObjectIdentifier: ManagedObject] = [:]
  private var removed: [ObjectIdentifier: ManagedObject] = [:]
  /// The places before the change of those that were moved or removed; nothing without an order.
  private var places: [ObjectIdentifier: Int64] = [:]
  /// Whether the order alone was changed.
  private var isArranged = false

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && !isArranged }

  mutating func add(_ object: ManagedObject) { added[ObjectIdentifier(object)] = object }

  mutating func remove(_ object: ManagedObject, from place: Int64?) {
    removed[ObjectIdentifier(object)] = object
    places[ObjectIdentifier(object)] = place
  }

  mutating func arrange(_ object: ManagedObject, from place: Int64?) {
    isArranged = true
    places[ObjectIdentifier(object)] = place
  }

  /// The objects before the change, of those that are there now, in the order that they had; without an
  /// order what was removed stands behind them.
  /// - Parameter current: The places that the objects have now, in an ordered relationship.
  func before(
    _ objects: [ManagedObject], current: [ManagedObjectID: Int64]
  ) -> [ManagedObject] {
    let kept = objects.filter {
      added[ObjectIdentifier($0)] == nil && removed[ObjectIdentifier($0)] == nil
    }
    let all = kept + removed.values.sorted { $0.key < $1.key }
    if places.isEmpty { return all }
    let placed = all.map { object in
      (places[ObjectIdentifier(object)] ?? current[object.objectID] ?? .max, object)
    }
    return placed.sorted { ($0.0, $0.1.key) < ($1.0, $1.1.key) }.map(\.1)
  }
}

extension ManagedObject {
  /// Whether the context has changed nothing of the object but its to-many relationships.
  /// - Complexity: O(1) mostly; O(unsaved objects that lead to this one) where none of them changes anything.
  package var isTouched: Bool {
    unsavedKindNow == nil && !isGone && !isDeleted && hasToManyChanges
  }

  private var hasToManyChanges: Bool {
    let properties = layout.digest.relationships.filter { $0.kind == .toMany && !$0.isHidden }
    if properties.isEmpty { return false }
    return core._withUnsafeGuaranteedRef { core in
      core.drafts.hasUnsavedReferrer(to: self) { other in
        (other.isInEvent || other.isListed)
          && properties.contains { core.walker.step(of: other, in: $0, of: self, false) != nil }
      }
    }
  }

  /// What was changed of the object's to-many relationships, by name.
  /// - Parameter ofEvent: Whether only what the running event has changed counts.
  /// - Complexity: O(unsaved objects that lead or have led to this one), once and again O(unsaved objects);
  ///   nothing for an entity without any.
  func toManyChanges(ofEvent: Bool) -> [String: ToManyChange] {
    let properties = layout.digest.relationships.filter { $0.kind == .toMany && !$0.isHidden }
    if properties.isEmpty { return [:] }
    return core._withUnsafeGuaranteedRef { core in
      func isUnsaved(_ other: ManagedObject) -> Bool {
        other.isInEvent || !ofEvent && other.isListed || ofEvent && other.untoldChange != nil
      }
      var changes: [String: ToManyChange] = [:]
      for other in core.drafts.unsavedReferrers(to: self) where isUnsaved(other) {
        for property in properties {
          core.walker.note(
            other, through: property, of: self, ofEvent: ofEvent,
            change: &changes[property.name, default: .init()])
        }
      }
      return changes.filter { !$0.value.isEmpty }
    }
  }
}

extension Walker {
  /// What an unsaved object does to a to-many relationship of another one.
  fileprivate enum Step { case adds, removes, arranges }

  /// - Returns: Nil where it does nothing.
  fileprivate func step(
    of other: ManagedObject, in property: PropertyLayout, of owner: ManagedObject, _ ofEvent: Bool
  ) -> Step? {
    guard let destination = property.destination else { return nil }
    if let join = property.join { return step(of: other, by: join, owner: owner, ofEvent: ofEvent) }
    guard other.layout.isKind(of: destination.entity), !other.isFault else { return nil }
    let inverse = other.layout.properties[destination.inverse]
    let before = other.base(ofEvent).flatMap { keys.reference(in: $0, inverse) }
    let now = other.isDeleted ? nil : keys.reference(of: other, inverse)
    let id = owner.objectID
    if (before == id) != (now == id) { return before == id ? .removes : .adds }
    guard before == id, let base = other.base(ofEvent), let slot = inverse.orderSlot else {
      return nil
    }
    return base.slot(slot) == RowPointer(other.row).slot(slot) ? nil : .arranges
  }

  private func step(
    of link: ManagedObject, by join: PropertyLayout.Join, owner: ManagedObject, ofEvent: Bool
  ) -> Step? {
    guard link.layout === join.entity, RowPointer(link.row).slot(join.near) == owner.key else {
      return nil
    }
    // What was made and dissolved again, or dissolved and made, has changed nothing.
    if link.isDeparted || !ofEvent && link.unsavedKindNow == nil { return nil }
    if link.isNew { return link.isDeleted ? nil : .adds }
    if link.isDeleted { return .removes }
    guard let base = link.base(ofEvent), let slot = join.entity.properties[join.far].orderSlot
    else { return nil }
    return base.slot(slot) == RowPointer(link.row).slot(slot) ? nil : .arranges
  }

  /// Adds what an unsaved object does to a to-many relationship of another one.
  fileprivate func note(
    _ other: ManagedObject, through property: PropertyLayout, of owner: ManagedObject,
    ofEvent: Bool,
    change: inout ToManyChange
  ) {
    guard let step = step(of: other, in: property, of: owner, ofEvent) else { return }
    var member = other
    let base = other.base(ofEvent)
    let place = base.flatMap { self.place(in: $0, of: other.layout, property) }
    if let join = property.join {
      guard let id = farID(of: RowPointer(other.row), by: join), let far = reader.object(with: id)
      else {
        return
      }
      member = far
    }
    switch step {
    case .adds: change.add(member)
    case .removes: change.remove(member, from: place)
    case .arranges: change.arrange(member, from: place)
    }
  }

  /// The place in an ordered relationship that the row of a member, or of a link, tells.
  private func place(
    in row: RowPointer, of entity: EntityLayout, _ property: PropertyLayout
  ) -> Int64? {
    guard property.isOrdered, let end = property.join?.far ?? property.destination?.inverse else {
      return nil
    }
    return entity.properties[end].orderSlot.map { row.slot($0) }
  }
}

extension ManagedObject {
  /// The row before the event, or before all that is unsaved; nil where there was none.
  fileprivate func base(_ ofEvent: Bool) -> RowPointer? {
    if ofEvent, let untold = untoldChange { return untold.base }
    if ofEvent, let base = extras?.edits.eventBase { return base.row }
    if let committed = extras?.edits.committed { return ofEvent ? trackedRow : committed.row }
    return isNew ? nil : trackedRow
  }
}
