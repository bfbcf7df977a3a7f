import CauldronModel

// What is left loses its references to what was deleted.
extension ContextCore {
  /// Clears the references to deleted objects where the rule says so.
  func nullify(_ deleted: [ManagedObject]) {
    loadFaults(among: partners(of: deleted))
    for object in deleted where object.isDoomed {
      for property in object.layout.digest.relationships {
        guard let destination = property.destination else { continue }
        switch property.kind {
        case .toOne: detach(object, from: property, destination)
        case .toMany:
          if let join = property.join {
            // What is denied is looked at by the save.
            if object.ruleOfDeletion(property) != .deny { unlinkAll(object, property, join) }
            continue
          }
          guard object.ruleOfDeletion(property) == .nullify else { continue }
          let others = ends(of: object, property)
          event.visit(others.count)
          for other in others { clear(other, destination.inverse, leadingTo: object) }
        case .attribute, .transient: continue
        }
      }
    }
  }

  /// Clears references of an object whose edits were dropped: those to objects that stay deleted were no
  /// edits of its own.
  func nullifyAgain(_ indices: PropertySet, of object: ManagedObject) {
    for index in indices.indices {
      let property = object.layout.properties[index]
      if object.isFault { fire(object) }
      guard let destination = property.destination, let id = reference(of: object, property),
        let other = identity.object(id.key, root: destination.entity.root.number), other.isDoomed
      else { continue }
      clear(object, index, leadingTo: other)
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
        result += ends(of: object, property)
      }
    }
    return result
  }

  /// Takes a deleted object out of what its to-one relationship leads to; the object's own row
  /// keeps the reference, for the hooks that still read it.
  private func detach(
    _ object: ManagedObject, from property: PropertyLayout,
    _ destination: PropertyLayout.Destination
  ) {
    guard let id = reference(of: object, property) else { return }
    event.visit(1)
    switch destination.entity.properties[destination.inverse].kind {
    case .toMany:
      let other = identity.object(id.key, root: destination.entity.root.number)
      // What is deleted, too, still shows what it led to.
      guard let other, !other.isDeleted else { return }
      other.extras?.toMany[destination.inverse]?.remove(object.objectID)
      other.noteChange(of: destination.inverse)
    case .toOne:
      guard object.ruleOfDeletion(property) == .nullify else { return }
      for other in ends(of: object, property) {
        clear(other, destination.inverse, leadingTo: object)
      }
    case .attribute, .transient: return
    }
  }

  /// Clears a to-one reference, if the object shows that it leads to the deleted one: what others
  /// have made refer to it unseen is for the save to find out.
  private func clear(_ other: ManagedObject, _ index: Int, leadingTo object: ManagedObject) {
    if other.isFault { fire(other) }
    guard other.isAlive, !other.isUnread else { return }
    let property = other.layout.properties[index]
    guard reference(of: other, property) == object.objectID else { return }
    writeReference(other, property, nil)
    other.extras?.edits.nullify(index)
    object.makeExtras().entailed.append(.nullified(other.objectID, index))
  }
}
