import CauldronModel
package import CauldronQuery

extension ManagedObject {
  /// What selects the destinations of a to-many relationship in a fetch.
  func selection(_ index: Int) -> PredicateNode {
    let property = layout.properties[index]
    guard property.join == nil, let destination = property.destination else {
      return .isSelf(destinationIDs(index))
    }
    _check()
    let inverse = destination.entity.properties[destination.inverse]
    return .refersTo(key: inverse.name, [objectID])
  }
}

/// A to-many relationship as part of a fetch.
package struct ToManySelection {
  /// Where the objects are; nil for a collection that has none.
  package let context: ManagedObjectContext?
  /// What holds for the objects of the relationship alone.
  package let node: PredicateNode

  init(_ owner: ManagedObject, _ index: Int) {
    context = owner.managedObjectContext
    node = owner.selection(index)
  }

  init(_ objects: [ManagedObject]) {
    context = objects.first?.managedObjectContext
    node = .isSelf(objects.map(\.objectID))
  }
}
