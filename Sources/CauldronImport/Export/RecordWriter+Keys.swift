import CauldronGraph
import CauldronModel

// Objects that are named by what they are found by.
extension RecordWriter {
  /// What names an object: the value of its only key, or a record with all attributes that
  /// identify it together; nil where one of these has no value.
  func key(
    of object: ManagedObject, in entity: EntityPlan, by key: KeyPlan
  ) throws -> JSONTree? {
    let value = key.value(of: object)
    if value.isNull { return nil }
    if case .one(let scalar) = value {
      try checkIsFound(by: scalar, key.parts[0], of: entity)
      return key.parts[0].coercion.text(scalar, isKey: true).map(JSONTree.value)
    }
    var tree = JSONTree.empty
    for part in key.parts {
      try put(
        try self.value(of: object, attribute: part, in: entity), at: part.paths, name: part.name,
        of: entity, into: &tree)
    }
    return tree
  }

  /// What members of a relationship without an order are sorted by.
  func sortKey(of member: ManagedObject, in relationship: RelationshipPlan) -> String {
    guard let key = plan.entities[relationship.destination].key else { return "" }
    let texts = zip(key.parts, key.value(of: member).all).map { $0.coercion.text($1) ?? "" }
    return texts.joined(separator: "\u{0}")
  }

  /// Looks whether a record with nothing but its key leaves an object as it is: what the record has
  /// not may be set for that.
  /// - Parameter name: That of the relationship which leads to the object, of another entity.
  func checkIsKept(
    _ object: ManagedObject, in entity: EntityPlan, by key: KeyPlan, name: String,
    of owner: EntityPlan
  ) throws {
    if entity.choice != nil, entity.entity.isAbstract {
      throw lossy(
        owner, name: name, because: "a key does not say which \(entity.entity.name) it leads to",
        hint: "Export with a greater depth, or import the relationship with members: .linkOnly.")
    }
    let reset =
      entity.attributes.first { !key.has($0.index) && $0.isReset(in: object) }?.name
      ?? entity.relationships.first { $0.isReset(in: object) }?.name
    guard let reset else { return }
    throw lossy(
      owner, name: name,
      because: "a record that has nothing but the key would reset \(entity.entity.name).\(reset)",
      hint: "Export with a greater depth, or import the relationship with members: .linkOnly.")
  }
}

extension AttributePlan {
  /// Whether a record that has nothing for the attribute changes an object.
  fileprivate func isReset(in object: ManagedObject) -> Bool {
    let scalar = object.importedScalar(at: index, storage: storage)
    switch mapping.absent {
    case .keep: return false
    case .setNil: return !scalar.isNull
    case .setDefault: return scalar != fallback
    }
  }
}

extension RelationshipPlan {
  /// Whether a record that has nothing for the relationship changes an object.
  fileprivate func isReset(in object: ManagedObject) -> Bool {
    if mapping.absent == .keep { return false }
    return isToMany ? !object.destinationIDs(index).isEmpty : object.destination(index) != nil
  }
}
