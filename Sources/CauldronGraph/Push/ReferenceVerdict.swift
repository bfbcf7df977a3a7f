import CauldronModel

/// What becomes of references to deleted objects, where the deleting context does not know of the
/// reference, or the referring one not of the deletion.
struct ReferenceVerdict {
  /// A row with references that do not stand.
  struct Lost {
    let entity: EntityLayout
    let row: RowPointer
    var properties: PropertySet
    /// Those of them of which no notice is given.
    var silent = PropertySet()
  }

  /// A reference to an object that is deleted.
  struct Reference {
    /// The row that refers, as it will be.
    let row: RowPointer
    let referrer: ManagedObjectID
    let entity: EntityLayout
    let property: PropertyLayout
    let target: ManagedObjectID
    let targetEntity: EntityLayout
  }

  /// The references that are made nil.
  private(set) var lost: [ManagedObjectID: Lost] = [:]
  private var conflicts: [CauldronError] = []
  private var denials: [CauldronError] = []

  /// Does as the delete rule of the relationship says that leads from the deleted object to the one
  /// that refers to it.
  /// - Parameter conflict: What is wrong where the reference cannot be made nil.
  mutating func judge(_ reference: Reference, _ conflict: (Reference) -> CauldronError) {
    switch reference.property.ruleOfTarget {
    case .noAction: return
    case .deny: denials.append(.denied(reference))
    case .nullify where !reference.property.isRequired: lose(reference)
    // No object is deleted unseen, and no required reference is made nil.
    case .nullify, .cascade: conflicts.append(conflict(reference))
    }
  }

  /// Makes a reference nil for as long as it takes to lead elsewhere.
  mutating func pass(_ reference: Reference) {
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
  mutating func refuse(_ error: CauldronError) { conflicts.append(error) }

  /// Why the layer cannot be accepted.
  var error: CauldronError? { .dangling(conflicts) ?? .denied(denials) }
}
