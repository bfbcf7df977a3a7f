import CauldronModel

/// What the context has changed of a to-many relationship, from whichever side.
struct ToManyChange {
  private var added: [ObjectIdentifier: ManagedObject] = [:]
  private var removed: [ObjectIdentifier: ManagedObject] = [:]
  /// Whether the order alone was changed.
  var isArranged = false

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && !isArranged }

  mutating func add(_ object: ManagedObject) { added[ObjectIdentifier(object)] = object }
  mutating func remove(_ object: ManagedObject) { removed[ObjectIdentifier(object)] = object }

  /// The objects before the change, of those that are there now; what was removed stands behind them.
  func before(_ objects: [ManagedObject]) -> [ManagedObject] {
    let kept = objects.filter {
      added[ObjectIdentifier($0)] == nil && removed[ObjectIdentifier($0)] == nil
    }
    let back = removed.values.sorted { $0.key < $1.key }
    return kept + back
  }
}

extension ManagedObject {
  /// Whether the context has changed nothing of the object but its to-many relationships.
  /// - Complexity: As ``toManyChanges(ofEvent:)``.
  var isTouched: Bool {
    unsavedKindNow == nil && !isGone && !isDeleted && !toManyChanges(ofEvent: false).isEmpty
  }

  /// What was changed of the object's to-many relationships, by name.
  /// - Parameter ofEvent: Whether only what the running event has changed counts.
  /// - Complexity: O(unsaved objects that lead or have led to this one), once and again O(unsaved objects);
  ///   nothing for an entity without any.
  func toManyChanges(ofEvent: Bool) -> [String: ToManyChange] {
    let properties = layout.digest.relationships.filter { $0.kind == .toMany }
    if properties.isEmpty { return [:] }
    return core._withUnsafeGuaranteedRef { core in
      func isUnsaved(_ other: ManagedObject) -> Bool {
        other.isInEvent || !ofEvent && other.isListed || ofEvent && other.untoldChange != nil
      }
      var changes: [String: ToManyChange] = [:]
      for other in core.drafts.unsavedReferrers(to: self) where isUnsaved(other) {
        for property in properties {
          core.walker.note(
            other, property, of: self, ofEvent, &changes[property.name, default: .init()])
        }
      }
      return changes.filter { !$0.value.isEmpty }
    }
  }
}

extension Walker {
  /// Adds what an unsaved object does to a to-many relationship of another one.
  fileprivate func note(
    _ other: ManagedObject, _ property: PropertyLayout, of owner: ManagedObject, _ ofEvent: Bool,
    _ change: inout ToManyChange
  ) {
    guard let destination = property.destination else { return }
    if let join = property.join {
      guard other.layout === join.entity else { return }
      return noteLink(other, join, of: owner, &change)
    }
    guard other.layout.isKind(of: destination.entity), !other.isFault else { return }
    let inverse = other.layout.properties[destination.inverse]
    let before = other.base(ofEvent).flatMap { keys.reference(in: $0, inverse) }
    let now = other.isDeleted ? nil : keys.reference(of: other, inverse)
    let id = owner.objectID
    if before == id, now != id { change.remove(other) }
    if before != id, now == id { change.add(other) }
    guard before == id, now == id, let base = other.base(ofEvent) else { return }
    if let slot = inverse.orderSlot, base.slot(slot) != RowPointer(other.row).slot(slot) {
      change.isArranged = true
    }
  }

  private func noteLink(
    _ link: ManagedObject, _ join: PropertyLayout.Join, of owner: ManagedObject,
    _ change: inout ToManyChange
  ) {
    let row = RowPointer(link.row)
    guard row.slot(join.near) == owner.key, let id = farID(row, join),
      let other = reader.object(with: id)
    else { return }
    // A link that was made and taken away has changed nothing.
    switch (link.isNew, link.isDeleted) {
    case (true, false): change.add(other)
    case (false, true): change.remove(other)
    case (false, false): change.isArranged = true
    case (true, true): return
    }
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
