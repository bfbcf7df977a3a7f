import CauldronModel

/// An object, named by what identifies it in an import.
struct KeyRef: Hashable {
  /// The number of the entity at the top of the hierarchy.
  let root: Int32
  let property: Int32
  let value: AttributeScalar

  init(_ key: KeyPlan, of entity: EntityPlan, _ value: AttributeScalar) {
    root = entity.family.rootNumber
    property = Int32(key.property.index)
    self.value = value
  }
}
