package import CauldronModel

// Calls from outside that read relationships: what the running event did is published first, where they are
// not known. Parts publish nothing; where only a part finds out whether it has to read, it is given what
// publishes.
extension ContextCore {
  /// The IDs that a to-many relationship leads to; in its order, if it has one.
  /// - Complexity: One statement at the first walk.
  package func toManyIDs(of object: ManagedObject, through property: PropertyLayout)
    -> [ManagedObjectID]
  {
    publishForWalk(of: object, property)
    return walker.toManyIDs(of: object, through: property)
  }

  /// The objects that a to-many relationship leads to, their rows read.
  ///
  /// All are of classes that `Object` is a superclass of; the caller has seen to that.
  /// - Complexity: One statement at the first walk; later, one for each few hundred faults.
  func toManyObjects<Object: ManagedObject>(
    of object: ManagedObject, through property: PropertyLayout
  ) -> [Object] {
    publishForWalk(of: object, property)
    return walker.toManyObjects(of: object, through: property)
  }

  /// Reads a to-many relationship together with those of the objects beside its object.
  func walkTogether(_ object: ManagedObject, through property: PropertyLayout) {
    guard walker.mustRead(object, through: property), !event.isPublishing else { return }
    keys.followExchanges()
    publisher.publishForQuery()
    walker.walkTogether(object, through: property)
  }

  /// Sets a to-one relationship and keeps the other side in step.
  package func setReference(
    of object: ManagedObject, through property: PropertyLayout, to new: ManagedObject?
  ) {
    var new = new
    if let end = new, let back = property.destination.map({ $0.entity.properties[$0.inverse] }),
      back.isOrdered, relations.leads(object, through: property, elsewhereThanTo: end),
      publishForPlace(in: end, back), !end.isAlive
    {
      // It goes with what the event has deleted before.
      new = nil
    }
    relations.setReference(of: object, through: property, to: new)
  }

  /// Links two objects, unless they are linked.
  func link(_ pair: LinkPair) {
    links.link(pair) {
      publishForPlaces(of: pair.object, through: pair.property, others: [pair.other])
    }
  }

  /// Links an object with others.
  func link(
    _ object: ManagedObject, through property: PropertyLayout, all others: [ManagedObject]
  ) {
    links.link(object, through: property, all: others) {
      publishForPlaces(of: object, through: property, others: $0)
    }
  }

  /// Puts the destinations of an ordered relationship in another order.
  func arrange(_ object: ManagedObject, through property: PropertyLayout, in ids: [ManagedObjectID])
  {
    publishForWalk(of: object, property)
    ordering.arrange(object, through: property, in: ids)
  }

  /// Puts some of the destinations of an ordered relationship next to one another.
  func place(
    _ ids: [ManagedObjectID], at position: Int, in object: ManagedObject,
    through property: PropertyLayout
  ) {
    publishForWalk(of: object, property)
    ordering.place(ids, at: position, in: object, through: property)
  }

  private func publishForWalk(of object: ManagedObject, _ property: PropertyLayout) {
    if walker.mustRead(object, through: property) { publisher.publishForQuery() }
  }

  /// - Returns: Whether hooks and observers may have run.
  private func publishForPlace(in object: ManagedObject, _ property: PropertyLayout) -> Bool {
    guard ordering.mustRead(object, through: property) else { return false }
    publisher.publishForQuery()
    return true
  }

  private func publishForPlaces(
    of object: ManagedObject, through property: PropertyLayout, others: [ManagedObject]
  ) -> Bool {
    if publishForPlace(in: object, property) { return true }
    guard let end = property.destination, end.entity.properties[end.inverse].isOrdered
    else { return false }
    return others.contains { publishForPlace(in: $0, $0.layout.properties[end.inverse]) }
  }
}
