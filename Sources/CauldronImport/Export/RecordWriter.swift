package import CauldronGraph
package import CauldronModel

/// Writes objects as a plan would read them.
package struct RecordWriter {
  let plan: ImportPlan
  let depth: Int
  /// The objects around the one that is written.
  var around: [ManagedObject] = []

  /// - Parameter depth: How many levels of objects are written out; what they lead to beyond is named by its
  ///   key.
  package init(_ plan: ImportPlan, depth: Int) {
    self.plan = plan
    self.depth = depth
  }

  /// The object as JSON.
  /// - Throws: `export.lossy` for what would not come back.
  package mutating func json(_ object: ManagedObject) throws -> String {
    let entity = plan.entities[0].entity
    guard object.isThereForImport, object.managedObjectContext != nil else {
      throw Self.gone(entity.name)
    }
    guard object.layout === entity else {
      throw CauldronError(
        .exportLossy,
        "Cannot export a \(object.layout.name) as a \(entity.name): not all of it would come back.",
        hint: "Export the objects of \(object.layout.name) by themselves."
      ).with { $0.entity = object.layout.name }
    }
    var text = ""
    try tree(object, plan: 0).write(to: &text)
    return text
  }

  /// The error where an object is not there.
  package static func gone(_ entity: String) -> CauldronError {
    CauldronError(
      .exportLossy, "Cannot export \(entity): the object is deleted.",
      hint: "Export objects while they are there."
    ).with { $0.entity = entity }
  }

  mutating func tree(_ object: ManagedObject, plan number: Int) throws -> JSONTree {
    let entity = plan.entities[number]
    var tree = JSONTree.empty
    around.append(object)
    defer { around.removeLast() }
    for attribute in attributes(entity) {
      try put(
        try value(of: object, attribute, entity), attribute.paths, attribute.name, entity, &tree)
    }
    for relationship in entity.relationships {
      guard let value = try value(of: object, relationship, entity) else { continue }
      try put(value, relationship.paths, relationship.name, entity, &tree)
    }
    return tree
  }

  /// What is imported, and the key by which the object is found in any case.
  private func attributes(_ entity: EntityPlan) -> [AttributePlan] {
    guard let key = entity.key?.attribute,
      !entity.attributes.contains(where: { $0.index == key.index })
    else { return entity.attributes }
    return [key] + entity.attributes
  }

  private func put(
    _ value: JSONTree, _ paths: [SourcePath], _ name: String, _ entity: EntityPlan,
    _ tree: inout JSONTree
  ) throws {
    let path = (paths.first?.text ?? name).split(separator: ".").map(String.init)
    if tree.set(value, at: path[...]) { return }
    throw lossy(entity, name, "another property is written at \"\(path.joined(separator: "."))\"")
  }
}

// Values.
extension RecordWriter {
  private func value(
    of object: ManagedObject, _ attribute: AttributePlan, _ entity: EntityPlan
  ) throws -> JSONTree {
    let scalar = object.importedScalar(attribute.index, attribute.storage)
    if let transform = attribute.mapping.transform {
      if scalar.isNull { try checkNull(attribute, entity) }
      let value = object.value(forKey: attribute.name)
      guard let sendable = value as? (any AttributeValue)? else {
        throw lossy(entity, attribute.name, "its value is none that a transform takes")
      }
      return try written(sendable, transform, attribute.name, entity)
    }
    if scalar.isNull {
      try checkNull(attribute, entity)
      return .value("null")
    }
    guard let text = attribute.coercion.text(scalar) else {
      throw lossy(entity, attribute.name, "JSON has no form for its value")
    }
    return .value(text)
  }

  /// Whether nil comes back as nil.
  private func checkNull(_ attribute: AttributePlan, _ entity: EntityPlan) throws {
    if attribute.index == entity.key?.property.index {
      throw lossy(entity, attribute.name, "it is nil, and the object is found by it")
    }
    if attribute.isRequired { throw lossy(entity, attribute.name, "it is required, and nil") }
    if attribute.mapping.null != .setNil, !attribute.fallback.isNull {
      throw lossy(entity, attribute.name, "it is nil, and null is imported as its default")
    }
  }

  /// What the way back of a transform makes of a value.
  func written(
    _ value: (any Sendable)?, _ transform: ImportTransform, _ name: String, _ entity: EntityPlan
  ) throws -> JSONTree {
    guard transform.canWrite else { throw lossy(entity, name, "its transform has no way back") }
    guard let value else { return .value("null") }
    let made = try transform.write(value)
    let tree = try (made as? ImportSource)?.value ?? JSONTape(made).root
    guard tree.isWritable else {
      throw lossy(entity, name, "JSON has no form for what its transform makes")
    }
    return .value(tree.json())
  }

  func lossy(_ entity: EntityPlan, _ name: String, _ why: String) -> CauldronError {
    CauldronError(
      .exportLossy, "Cannot export \(entity.entity.name).\(name): \(why).",
      hint: "Exclude the property, or give its transform a way back."
    ).with {
      $0.entity = entity.entity.name
      $0.property = name
    }
  }
}
