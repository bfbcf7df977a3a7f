import Cauldron

extension ManagedObject {
  /// The value of a property, perhaps behind to-one relationships; nil for none, and where the path leads
  /// to no property.
  func value(at path: PropertyPath) -> Any? {
    var value: Any? = self
    for step in path.steps {
      guard let object = value as? ManagedObject,
        object.entity.properties.contains(where: { $0.name == step })
      else { return nil }
      value = object.value(forKey: step)
    }
    return value
  }
}
