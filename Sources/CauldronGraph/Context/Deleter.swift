import CauldronLedger
package import CauldronModel

/// Deletes objects, and carries deletions on to related objects at the end of the event, as the delete rules
/// say.
///
/// What is left then loses its references to what was deleted.
struct Deleter {
  private let links: Links

  init(links: Links) { self.links = links }

  private var editor: Editor { links.editor }
  private var walker: Walker { links.walker }
  private var reader: Reader { links.reader }
  private var registry: Registry { reader.registry }
  private var keys: ObjectKeys { reader.keys }
  private var drafts: Drafts { reader.drafts }
  private var hooks: Hooks { reader.hooks }
  private var event: EventState { drafts.event }

  /// Marks an object deleted; the delete rules of its relationships are applied at the end of the
  /// event.
  func delete(_ object: ManagedObject) {
    object._check()
    // The hooks of two objects may delete each other: each hook is called once.
    if event.isPreparing(object) { return }
    hooks.prepareForDeletion(object)
    editor.markDeleted(object)
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
    keys.followExchanges()
    event.beginPropagating()
    defer { event.endPropagating() }
    var deleted: [ManagedObject] = []
    while !event.deletions.isEmpty {
      let wave = event.takeDeletions().filter(\.isDoomed)
      deleted += wave
      cascade(wave)
    }
    nullify(deleted)
    if drafts.isUndone { links.unlinkDoomed(deleted) }
    // The links of what is deleted.
    deleted += event.takeDeletions().filter(\.isDoomed)
    for object in deleted where object.isUntold {
      // Never left this event: nobody else has to know.
      object.noteChanges()
      object.change { $0.becomeGone() }
      registry.remove(object.key, root: object.layout.root.number)
    }
  }

  /// Deletes what goes with objects that are deleted.
  private func cascade(_ wave: [ManagedObject]) {
    walkAll(wave)
    var next: [(ManagedObject, cause: ManagedObject)] = []
    for object in wave {
      for property in object.layout.digest.relationships where property.deleteRule == .cascade {
        for other in walker.ends(of: object, property) where !other.isDeleted {
          next.append((other, object))
        }
      }
    }
    if next.isEmpty { return }
    event.visit(next.count)
    let objects = next.map(\.0)
    reader.loadFaults(among: objects)
    // Their own relationships, too, which the hooks may walk.
    walkAll(objects)
    for (object, cause) in next {
      guard cause.isDoomed, object.isAlive else { continue }
      delete(object)
      cause.makeExtras().entailed.append(.deleted(object.objectID))
    }
  }

  /// Reads the to-many relationships through which the deletion of objects is carried on.
  private func walkAll(_ objects: [ManagedObject]) {
    for (_, family) in Dictionary(grouping: objects, by: \.entityNumber) {
      guard let layout = family.first?.layout else { continue }
      for property in layout.digest.relationships where property.kind == .toMany {
        let concerned = family.filter { $0.ruleOfDeletion(property).reachesOthers }
        walker.walk(concerned, through: property)
      }
    }
  }

  // MARK: References to what is deleted

  /// Clears the references to deleted objects where the rule says so.
  func nullify(_ deleted: [ManagedObject]) {
    reader.loadFaults(among: partners(of: deleted))
    for object in deleted where object.isDoomed {
      for property in object.layout.digest.relationships {
        guard let destination = property.destination else { continue }
        switch property.kind {
        case .toOne: detach(object, from: property, destination: destination)
        case .toMany:
          if let join = property.join {
            // What is denied is looked at by the save.
            if object.ruleOfDeletion(property) != .deny {
              links.unlinkAll(object, through: property, by: join)
            }
            continue
          }
          guard object.ruleOfDeletion(property) == .nullify else { continue }
          let others = walker.ends(of: object, property)
          event.visit(others.count)
          for other in others { clear(other, at: destination.inverse, leadingTo: object) }
        case .attribute, .transient: continue
        }
      }
    }
  }

  /// The references of an object that lead to another one which the context has deleted, as it shows them or
  /// as they are below its edits, and those that such a deletion has cleared.
  func referencesToDeleted(of object: ManagedObject) -> PropertySet {
    let rows = [RowPointer(object.row), object.rowBelowEdits].compactMap { $0 }
    let found = object.layout.digest.toOnes.filter { property in
      guard let root = property.destination?.entity.root.number else { return false }
      return rows.contains { row in
        let id = keys.reference(in: row, property)
        return id.flatMap { registry.object($0.key, root: root) }?.isDoomed == true
      }
    }
    let cleared = object.extras?.edits.nullified ?? PropertySet()
    return PropertySet(found.map(\.index)).union(cleared)
  }

  /// Clears references of an object whose edits were dropped: those to objects that stay deleted were no
  /// edits of its own. What a rule leaves alone, or forbids the deletion for, stays.
  func nullifyAgain(_ indices: PropertySet, of object: ManagedObject) {
    for index in indices.indices {
      let property = object.layout.properties[index]
      if object.isFault { reader.fire(object) }
      guard let destination = property.destination, let id = keys.reference(of: object, property),
        let other = registry.object(id.key, root: destination.entity.root.number), other.isDoomed,
        property.isOneToOne
          || [.nullify, .cascade].contains(
            other.ruleOfDeletion(destination.entity.properties[destination.inverse]))
      else { continue }
      clear(object, at: index, leadingTo: other)
    }
  }

  /// The other ends of one-to-one relationships, which have a column of their own.
  private func partners(of deleted: [ManagedObject]) -> [ManagedObject] {
    var result: [ManagedObject] = []
    for object in deleted where object.isDoomed {
      for property in object.layout.digest.toOnes {
        guard let destination = property.destination,
          destination.entity.properties[destination.inverse].kind == .toOne,
          object.ruleOfDeletion(property) == .nullify
        else { continue }
        result += walker.ends(of: object, property)
      }
    }
    return result
  }

  /// Takes a deleted object out of what its to-one relationship leads to; the object's own row
  /// keeps the reference, for the hooks that still read it.
  private func detach(
    _ object: ManagedObject, from property: PropertyLayout,
    destination: PropertyLayout.Destination
  ) {
    guard let id = keys.reference(of: object, property) else { return }
    event.visit(1)
    switch destination.entity.properties[destination.inverse].kind {
    case .toMany:
      let other = registry.object(id.key, root: destination.entity.root.number)
      // What is deleted, too, still shows what it led to.
      guard let other, !other.isDeleted else { return }
      other.extras?.toMany[destination.inverse]?.remove(object.objectID)
      other.noteChange(of: destination.inverse)
    case .toOne:
      guard object.ruleOfDeletion(property) == .nullify else { return }
      for other in walker.ends(of: object, property) {
        clear(other, at: destination.inverse, leadingTo: object)
      }
    case .attribute, .transient: return
    }
  }

  /// Clears a to-one reference, if the object shows that it leads to the deleted one. The save
  /// finds references of other contexts, which are not shown here.
  private func clear(_ other: ManagedObject, at index: Int, leadingTo object: ManagedObject) {
    if other.isFault { reader.fire(other) }
    guard other.isAlive, !other.isUnread else { return }
    let property = other.layout.properties[index]
    guard keys.reference(of: other, property) == object.objectID else { return }
    editor.writeReference(of: other, through: property, to: nil)
    other.extras?.edits.nullify(index)
    object.makeExtras().entailed.append(.nullified(other.objectID, index))
  }
}

/// What the deletion of an object has done to another one.
enum Entailment {
  /// It was deleted, too.
  case deleted(ManagedObjectID)
  /// A to-one reference of it, the property with an index, was made nil.
  case nullified(ManagedObjectID, Int)
}

extension ManagedObject {
  /// What becomes of the destinations of a relationship when the object is deleted.
  ///
  /// Of an object that was never saved nothing is left that could be refused, or led to.
  package func ruleOfDeletion(_ property: PropertyLayout) -> RelationshipDescription.DeleteRule {
    let rule = property.deleteRule
    return !rule.reachesOthers && isNewHere ? .nullify : rule
  }

  /// Whether the object was created in this context, or came with a child's save, and nobody above
  /// knows of it.
  package var isNewHere: Bool {
    if isNew { return true }
    let id = objectID
    return core._withUnsafeGuaranteedRef { core in
      core.coordinator.keys.isUncommitted(id.key, root: layout.rootNumber)
        && core.coordinator.ledger.isNew(id, in: core.node)
    }
  }
}

extension RelationshipDescription.DeleteRule {
  /// Whether the end of the event does anything to the destinations.
  var reachesOthers: Bool { self == .nullify || self == .cascade }
}
