import CauldronModel

extension ContextCore {
  /// Marks an object deleted; the delete rules of its relationships are applied at the end of the
  /// event.
  func delete(_ object: ManagedObject) {
    object._check()
    // Objects that delete each other in that hook are told once each.
    if event.isPreparing(object) { return }
    prepareForDeletion(object)
    markDeleted(object)
  }

  /// The same without telling the object.
  func markDeleted(_ object: ManagedObject) {
    guard !object.isDeleted, !object.isStandIn else { return }
    if object.isFault {
      fire(object)
      object.change { $0.endFault() }
    }
    endUntracked(object)
    if object.isNew { finder.standOnSaved(object) }
    object.change { $0.becomeDeleted() }
    object.noteChanges()
    ownership.changeLists { event.delete(object) }
    if !object.isInEvent {
      object.change { $0.enterEvent() }
      touch(object)
    }
  }

  /// Carries on to related objects what the event deleted, as the delete rules say.
  ///
  /// First everything is deleted that goes with it, wave by wave, so that each object is told of its
  /// deletion while all its relationships are alive, and chains may be of any length. What is left
  /// then loses its references to the deleted.
  /// - Complexity: O(objects that are reached); one statement for each relationship of a few hundred
  ///   objects.
  func propagateDeletes() {
    guard !event.deletions.isEmpty else { return }
    followExchanges()
    event.beginPropagating()
    defer { event.endPropagating() }
    var deleted: [ManagedObject] = []
    while !event.deletions.isEmpty {
      let wave = event.takeDeletions().filter(\.isDoomed)
      deleted += wave
      cascade(wave)
    }
    nullify(deleted)
    if undoManager?.isUndoRegistrationEnabled == true { unlinkDoomed(deleted) }
    // The links of what is deleted.
    deleted += event.takeDeletions().filter(\.isDoomed)
    for object in deleted where object.isNew && !isPublished(object) {
      // Never left this event: nobody else has to know.
      object.noteChanges()
      object.change { $0.becomeGone() }
      identity.remove(object.key, root: object.layout.root.number)
    }
  }

  /// Whether somebody besides the running event can know of an object that the context created.
  func isPublished(_ object: ManagedObject) -> Bool {
    object.extras?.edits.eventBase != nil || !object.isWritable
  }

  /// Deletes what goes with objects that are deleted.
  private func cascade(_ wave: [ManagedObject]) {
    walkAll(wave)
    var next: [(ManagedObject, cause: ManagedObject)] = []
    for object in wave {
      for property in object.layout.digest.relationships where property.deleteRule == .cascade {
        for other in ends(of: object, property) where !other.isDeleted {
          next.append((other, object))
        }
      }
    }
    if next.isEmpty { return }
    event.visit(next.count)
    let objects = next.map(\.0)
    loadFaults(among: objects)
    // Their own relationships, too, which the hooks may walk.
    walkAll(objects)
    for (object, cause) in next {
      guard cause.isDoomed, object.isAlive else { continue }
      delete(object)
      cause.makeExtras().entailed.append(.deleted(object.objectID))
    }
  }

  /// The objects that a relationship leads to; those of a to-many were read before.
  func ends(of object: ManagedObject, _ property: PropertyLayout) -> [ManagedObject] {
    switch property.kind {
    case .toOne:
      return reference(of: object, property).flatMap { self.object(with: $0) }.map { [$0] } ?? []
    case .toMany:
      return walkedIDs(object, property).compactMap { self.object(with: $0) }
    case .attribute, .transient: return []
    }
  }

  /// Reads the to-many relationships through which the deletion of objects is carried on.
  private func walkAll(_ objects: [ManagedObject]) {
    for (_, family) in Dictionary(grouping: objects, by: \.entityNumber) {
      guard let layout = family.first?.layout else { continue }
      for property in layout.digest.relationships where property.kind == .toMany {
        let concerned = family.filter { $0.ruleOfDeletion(property).reachesOthers }
        walk(concerned, property)
      }
    }
  }

  /// Reads the rows of those objects that are faults, of whatever entities.
  func loadFaults(among objects: [ManagedObject]) {
    let faults = objects.filter { $0.isFault }
    for (_, some) in Dictionary(grouping: faults, by: \.layout.rootNumber) {
      if let root = some.first?.layout.root { loadFaults(among: some, root) }
    }
    // A few, and what could not be read with the others.
    for object in faults where object.isFault { fire(object) }
  }
}

extension ManagedObject {
  /// What becomes of the destinations of a relationship when the object is deleted.
  ///
  /// Of an object that was never saved nothing is left that could be refused, or led to.
  func ruleOfDeletion(_ property: PropertyLayout) -> RelationshipDescription.DeleteRule {
    let rule = property.deleteRule
    return !rule.reachesOthers && isNewHere ? .nullify : rule
  }

  /// Whether the object was created in this context, or came with a child's save, and nobody above
  /// knows of it.
  var isNewHere: Bool {
    if isNew { return true }
    let id = objectID
    return core._withUnsafeGuaranteedRef { core in
      core.coordinator.keys.isUncommitted(id.key, layout.rootNumber)
        && core.coordinator.ledger.isNew(id, in: core.node)
    }
  }
}

extension RelationshipDescription.DeleteRule {
  /// Whether the end of the event does anything to the destinations.
  var reachesOthers: Bool { self == .nullify || self == .cascade }
}
