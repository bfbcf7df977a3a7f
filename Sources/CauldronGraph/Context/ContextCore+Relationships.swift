import CauldronModel

extension ContextCore {
  /// The registered object that a to-one relationship of one with a row leads to; nil also where it has to
  /// be looked for in another way.
  @inline(__always)
  func nearDestination(of object: ManagedObject, _ index: Int) -> ManagedObject? {
    let row = RowPointer(object.row)
    if row.isNull(index) || keys.isBehind { return nil }
    let way = place.layouts[Int(object.entityNumber) - 1].entity.ways[index]
    // A provisional key may have been exchanged.
    let key = row.slot(index)
    guard key > 0, let found = identity.object(key, root: way.root) else { return nil }
    let number = way.slot < 0 ? way.number : Int32(truncatingIfNeeded: row.slot(Int(way.slot)))
    return found.entityNumber == number ? found : nil
  }

  /// The ID that a to-one relationship leads to.
  func reference(of object: ManagedObject, _ property: PropertyLayout) -> ManagedObjectID? {
    reference(in: RowPointer(object.row), property)
  }

  /// The ID that a to-one relationship leads to in a row.
  func reference(in row: RowPointer, _ property: PropertyLayout) -> ManagedObjectID? {
    guard let destination = property.destination, !row.isNull(property.index) else { return nil }
    let key = row.slot(property.index)
    let number =
      property.entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
      ?? destination.entity.number
    return followed(
      ManagedObjectID(key: key, entityNumber: number, storeNumber: coordinator.storeNumber))
  }

  /// Sets a to-one relationship and keeps the other side in step.
  func setReference(_ object: ManagedObject, _ property: PropertyLayout, _ new: ManagedObject?) {
    followExchanges()
    if object.isFault { fire(object) }
    endUntracked(object)
    guard let destination = property.destination else { return }
    let inverse = destination.entity.properties[destination.inverse]
    if inverse.kind == .toOne { return setOneToOne(object, property, destination.inverse, new) }
    let old = reference(of: object, property)
    if old == new?.objectID { return }
    if let old {
      let other = identity.object(old.key, root: destination.entity.root.number)
      other?.extras?.toMany[destination.inverse]?.remove(object.objectID)
      other?.noteChange(of: destination.inverse)
    }
    let place = new.flatMap { inverse.isOrdered ? nextPlace($0, inverse) : nil }
    writeReference(object, property, new)
    guard let new else { return }
    if let slot = property.orderSlot { RowPointer(object.row).setCompanion(place ?? 0, at: slot) }
    new.extras?.toMany[destination.inverse]?.insert(object.objectID, place: place)
    new.noteChange(of: destination.inverse)
  }

  /// Writes the reference alone.
  func writeReference(_ object: ManagedObject, _ property: PropertyLayout, _ new: ManagedObject?) {
    endUntracked(object)
    if !object.isWritable { prepareWrite(object) }
    object.extras?.edits.set(property.index)
    object.noteChange(of: property.index)
    let row = RowPointer(object.row)
    guard let new else {
      row.setNull(property.index)
      for slot in property.companions { row.setCompanion(0, at: slot) }
      return
    }
    if event.isPropagating { event.noteReference(object, property.index, new) }
    row.setSlot(property.index, new.key)
    if let slot = property.entitySlot { row.setCompanion(Int64(new.layout.number), at: slot) }
    noteReferences(of: object)
  }
}
