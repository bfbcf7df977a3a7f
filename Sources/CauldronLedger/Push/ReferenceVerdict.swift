package import CauldronModel

/// What becomes of references to deleted objects, where the deleting context does not know of the
/// reference, or the referring one not of the deletion.
package struct ReferenceVerdict {
  /// A row with references that do not stand.
  package struct Lost {
    package let entity: EntityLayout
    package let row: RowPointer
    package var properties: PropertySet
    /// Those of them of which no notice is given.
    var silent = PropertySet()
  }

  /// A reference to an object that is deleted.
  package struct Reference {
    /// The row that refers, as it will be.
    package let row: RowPointer
    package let referrer: ManagedObjectID
    package let entity: EntityLayout
    package let property: PropertyLayout
    package let target: ManagedObjectID
    let targetEntity: EntityLayout
  }

  /// The references that are made nil.
  package private(set) var lost: [ManagedObjectID: Lost] = [:]
  private var conflicts: [CauldronError] = []
  private var denials: [CauldronError] = []

  /// Does as the delete rule of the relationship says that leads from the deleted object to the one
  /// that refers to it.
  /// - Parameter conflict: What is wrong where the reference cannot be made nil.
  package mutating func judge(_ reference: Reference, conflict: (Reference) -> CauldronError) {
    switch reference.property.ruleOfTarget {
    case .noAction: return
    case .deny: denials.append(.denied(reference))
    case .nullify where !reference.property.isRequired: lose(reference)
    // No object is deleted unseen, and no required reference is made nil.
    case .nullify, .cascade: conflicts.append(conflict(reference))
    }
  }

  /// Makes a reference nil for as long as it takes to lead elsewhere.
  package mutating func pass(_ reference: Reference) {
    lose(reference)
    lost[reference.referrer]?.silent.insert(reference.property.index)
  }

  private mutating func lose(_ reference: Reference) {
    let index = reference.property.index
    if lost[reference.referrer]?.properties.insert(index) == nil {
      lost[reference.referrer] = Lost(
        entity: reference.entity, row: reference.row,
        properties: PropertySet(CollectionOfOne(index)))
    }
  }

  /// Notes a reference that no rule helps.
  package mutating func refuse(_ error: CauldronError) { conflicts.append(error) }

  /// Why the layer cannot be accepted.
  package var error: CauldronError? { .dangling(conflicts) ?? .denied(denials) }
}
