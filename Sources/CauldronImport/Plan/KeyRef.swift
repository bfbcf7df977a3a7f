import CauldronModel

/// Objects, named by what identifies them in an import.
struct KeyRef: Hashable {
  let place: KeyPlace
  let value: AttributeScalar

  init(_ place: KeyPlace, _ value: AttributeScalar) {
    self.place = place
    self.value = value
  }

  init(_ key: KeyPlan, _ value: AttributeScalar) {
    place = KeyPlace(key)
    self.value = value
  }

  init(_ attribute: AttributePlan, _ value: AttributeScalar) {
    place = KeyPlace(entity: attribute.scope, property: Int32(attribute.index))
    self.value = value
  }
}

/// By what objects are found.
struct KeyPlace: Hashable {
  /// The number of the entity that declares the attribute.
  let entity: Int32
  let property: Int32

  init(entity: Int32, property: Int32) {
    self.entity = entity
    self.property = property
  }

  init(_ key: KeyPlan) {
    entity = key.scope.number
    property = Int32(key.property.index)
  }
}
