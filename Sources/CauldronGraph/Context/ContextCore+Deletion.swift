import CauldronModel

extension ContextCore {
  /// Marks an object deleted; its relationships are nullified at the end of the event.
  func delete(_ object: ManagedObject) {
    object._check()
    object.prepareForDeletion()
    guard !object.state.contains(.deleted) else { return }
    if object.state.contains(.fault) { fire(object) }
    object.state.insert(.deleted)
    ownership.changeLists { event.delete(object) }
    if !object.state.contains(.inEvent) {
      object.state.insert(.inEvent)
      touch(object)
    }
  }

  /// Nullifies the references to what the event deleted.
  func propagateDeletes() {
    if !event.deletions.isEmpty { followExchanges() }
    while let object = event.nextDeletion() {
      // A refresh has taken the deletion back.
      guard object.state.contains(.deleted) else { continue }
      nullify(object)
      guard object.state.contains(.inserted), !isPublished(object) else { continue }
      // Never left this event: nobody else has to know.
      object.state.insert(.gone)
      identity.remove(object.key, root: object.layout.root.number)
    }
  }

  private func isPublished(_ object: ManagedObject) -> Bool {
    object.extras?.eventBase != nil || !object.state.contains(.writable)
  }

  private func nullify(_ object: ManagedObject) {
    for property in object.layout.digest.relationships {
      guard let destination = property.destination else { continue }
      switch property.kind {
      case .toOne: detach(object, from: property, destination)
      case .toMany:
        if let join = property.join {
          unlinkAll(object, property, join)
          continue
        }
        let others: [ManagedObject] = toManyObjects(object, property)
        for other in others {
          guard let other = try? existingObject(other.objectID), !other.state.contains(.deleted)
          else {
            continue
          }
          setReference(other, destination.entity.properties[destination.inverse], nil)
          other.extras?.nullified.insert(destination.inverse)
        }
      case .attribute, .transient: continue
      }
    }
  }

  /// Takes a deleted object out of what its to-one relationship leads to; the object's own row
  /// keeps the reference, for the hooks that still read it.
  private func detach(
    _ object: ManagedObject, from property: PropertyLayout,
    _ destination: PropertyLayout.Destination
  ) {
    guard let id = reference(of: object, property) else { return }
    switch destination.entity.properties[destination.inverse].kind {
    case .toMany:
      identity.object(id.key, root: destination.entity.root.number)?
        .extras?.toMany[destination.inverse]?.remove(object.objectID)
    case .toOne:
      // The other side has a column of its own, whether the object is registered or not.
      if let other = try? existingObject(id), !other.state.contains(.deleted) {
        let inverse = other.layout.properties[destination.inverse]
        if reference(of: other, inverse) == object.objectID {
          writeReference(other, inverse, nil)
          other.extras?.nullified.insert(inverse.index)
        }
      }
    case .attribute, .transient: break
    }
  }
}
