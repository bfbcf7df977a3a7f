import CauldronModel

extension ContextCore {
  /// The deletions that the context has not saved and a relationship denies: one that leads to an
  /// object which is not deleted with them.
  /// - Complexity: O(unsaved objects) where the model has such a relationship, and one statement for
  ///   each relationship of a few hundred deleted objects.
  func denials() -> [CauldronError] {
    let layouts = coordinator.managedObjectModel.layouts
    guard layouts.contains(where: { !$0.digest.denying.isEmpty }) else { return [] }
    return denials(of: pending.objects)
  }

  /// Those of the deletions of some objects that a relationship denies.
  func denials(of objects: [ManagedObject]) -> [CauldronError] {
    // Of what was never saved there is nothing to be denied.
    let doomed = objects.filter {
      $0.isDoomed && !$0.layout.digest.denying.isEmpty && !$0.isNewHere
    }
    for (_, family) in Dictionary(grouping: doomed, by: \.entityNumber) {
      for property in family[0].layout.digest.denying where property.kind == .toMany {
        walk(family, property)
      }
    }
    return doomed.flatMap { object in
      object.layout.digest.denying.compactMap { denial(object, $0) }
    }
  }

  private func denial(_ object: ManagedObject, _ property: PropertyLayout) -> CauldronError? {
    let left = ends(of: object, property).filter { remains($0, object, property) }
    if left.isEmpty { return nil }
    return .denied(
      object.layout, object.objectID, property.name, left.prefix(3).map(\.objectID),
      count: left.count)
  }

  /// Whether the other end of a relationship exists, and is not deleted.
  private func remains(
    _ other: ManagedObject, _ object: ManagedObject, _ property: PropertyLayout
  ) -> Bool {
    if other.isFault { fire(other) }
    guard other.isAlive else { return false }
    guard property.kind == .toMany, property.join == nil,
      let inverse = property.destination?.inverse
    else { return true }
    return reference(of: other, other.layout.properties[inverse]) == object.objectID
  }
}
