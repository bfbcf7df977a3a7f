extension RowPointer {
  /// The attributes and to-one keys by property name.
  package func snapshot(_ entity: EntityLayout) -> [String: AttributeScalar] {
    var result: [String: AttributeScalar] = [:]
    for property in entity.properties {
      guard let storage = property.storageClass else { continue }
      result[property.name] = scalar(property.index, storage)
    }
    return result
  }
}
