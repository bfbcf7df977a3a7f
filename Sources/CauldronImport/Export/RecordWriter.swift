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
        try value(of: object, attribute: attribute, in: entity), at: attribute.paths,
        name: attribute.name, of: entity, into: &tree)
    }
    for relationship in entity.relationships {
      guard let value = try value(of: object, through: relationship, in: entity) else { continue }
      try put(value, at: relationship.paths, name: relationship.name, of: entity, into: &tree)
    }
    return tree
  }

  /// What is imported, and the key by which the object is found in any case.
  private func attributes(_ entity: EntityPlan) -> [AttributePlan] {
    let parts = entity.key?.parts ?? []
    return parts.filter { part in !entity.attributes.contains { $0.index == part.index } }
      + entity.attributes
  }

  func put(
    _ value: JSONTree, at paths: [SourcePath], name: String, of entity: EntityPlan,
    into tree: inout JSONTree
  ) throws {
    let path = paths.first.map { ImportPointer.names($0.text) } ?? [name]
    if tree.set(value, at: path[...]) { return }
    throw lossy(
      entity, name: name,
      because: "another property is written at \"\(path.joined(separator: "."))\"")
  }
}

// Values.
extension RecordWriter {
  func value(
    of object: ManagedObject, attribute: AttributePlan, in entity: EntityPlan
  ) throws -> JSONTree {
    let scalar = object.importedScalar(at: attribute.index, storage: attribute.storage)
    if let transform = attribute.mapping.transform {
      if scalar.isNull { try checkNull(attribute, in: entity) }
      let value = object.value(forKey: attribute.name)
      guard let sendable = value as? (any AttributeValue)? else {
        throw lossy(
          entity, name: attribute.name, because: "its value is none that a transform takes")
      }
      return try written(sendable, by: transform, name: attribute.name, of: entity)
    }
    if scalar.isNull {
      try checkNull(attribute, in: entity)
      return .value("null")
    }
    if entity.key?.has(attribute.index) == true {
      try checkIsFound(by: scalar, attribute, of: entity)
    }
    guard let text = attribute.coercion.text(scalar) else {
      throw lossy(
        entity, name: attribute.name,
        because: "JSON has no form for its value\(Self.shown(scalar))",
        hint: "Exclude the property, or give it a transform that writes such a value.")
    }
    if attribute.empty != nil { try checkIsNotBlank(text, attribute.name, of: entity) }
    return .value(text)
  }

  /// Whether an object is found by what is written of its key.
  func checkIsFound(
    by scalar: AttributeScalar, _ attribute: AttributePlan, of entity: EntityPlan
  ) throws {
    let coercion = attribute.coercion
    guard coercion.type == .date, coercion.text(scalar, isKey: true) == nil,
      coercion.text(scalar) != nil
    else { return }
    throw lossy(
      entity, name: attribute.name,
      because: "the object is found by it, and its form does not write all digits of the date",
      hint: "Give it dateFormat: .iso8601, which is the default, or round the date.")
  }

  /// Whether a text is none that is imported as no value.
  private func checkIsNotBlank(_ text: String, _ name: String, of entity: EntityPlan) throws {
    guard JSONText.value(text)?.isBlank == true else { return }
    throw lossy(
      entity, name: name, because: "it is an empty text, which is imported as no value",
      hint: "Exclude the property, or import its empty texts as they are.")
  }

  /// Whether nil comes back as nil.
  private func checkNull(_ attribute: AttributePlan, in entity: EntityPlan) throws {
    if entity.key?.has(attribute.index) == true {
      throw lossy(entity, name: attribute.name, because: "it is nil, and the object is found by it")
    }
    if attribute.isRequired {
      throw lossy(entity, name: attribute.name, because: "it is required, and nil")
    }
    if attribute.mapping.null != .setNil, !attribute.fallback.isNull {
      throw lossy(
        entity, name: attribute.name, because: "it is nil, and null is imported as its default")
    }
  }

  /// What the way back of a transform makes of a value.
  func written(
    _ value: (any Sendable)?, by transform: ImportTransform, name: String, of entity: EntityPlan
  ) throws -> JSONTree {
    guard transform.canWrite else {
      throw lossy(entity, name: name, because: "its transform has no way back")
    }
    guard let value else { return .value("null") }
    let made = try transform.write(value)
    let tree = try (made as? ImportSource)?.value ?? JSONTape(made).root
    guard tree.isWritable else {
      throw lossy(entity, name: name, because: "JSON has no form for what its transform makes")
    }
    return .value(tree.json())
  }

  /// A number that is none, for a sentence.
  private static func shown(_ scalar: AttributeScalar) -> String {
    if case .real(let number) = scalar { " \(number)" } else { "" }
  }

  func lossy(
    _ entity: EntityPlan, name: String, because why: String,
    hint: String = "Exclude the property, or give its transform a way back."
  ) -> CauldronError {
    CauldronError(
      .exportLossy, "Cannot export \(entity.entity.name).\(name): \(why).", hint: hint
    ).with {
      $0.entity = entity.entity.name
      $0.property = name
    }
  }
}

// Relationships.
extension RecordWriter {
  /// - Returns: Nil for what is left out, which an import leaves as it is.
  mutating func value(
    of object: ManagedObject, through relationship: RelationshipPlan, in entity: EntityPlan
  ) throws -> JSONTree? {
    guard let tree = try references(of: object, through: relationship, in: entity) else {
      guard relationship.mapping.absent == .keep else {
        throw lossy(
          entity, name: relationship.name,
          because: "what it leads to has no key, and would be taken out")
      }
      return nil
    }
    guard let transform = relationship.mapping.transform else { return tree }
    var text = ""
    tree.write(to: &text)
    let value = text == "null" ? nil : JSONText.value(text).map(ImportSource.init)
    return try written(value, by: transform, name: relationship.name, of: entity)
  }

  /// Whether the destination of a reference exists: a one-way reference may lead to a deleted object.
  private func isThere(_ target: ManagedObject, for object: ManagedObject) -> Bool {
    if target.isDeleted { return false }
    guard target.isFault, let context = object.managedObjectContext else { return true }
    return (try? context.existingObject(with: target.objectID)) != nil
  }

  /// What a relationship leads to; nil where that cannot be named.
  private mutating func references(
    of object: ManagedObject, through relationship: RelationshipPlan, in entity: EntityPlan
  ) throws -> JSONTree? {
    guard relationship.isToMany else {
      guard let target = object.destination(relationship.index), isThere(target, for: object)
      else { return .value("null") }
      return try reference(to: target, through: relationship, in: entity)
    }
    let members = try object.readDestinations(relationship.index)
    var trees: [(key: String, tree: JSONTree)] = []
    for member in members {
      guard let tree = try reference(to: member, through: relationship, in: entity) else {
        return nil
      }
      trees.append((sortKey(of: member, in: relationship), tree))
    }
    // In an order that does not change from run to run.
    if !relationship.isOrdered { trees.sort { $0.key < $1.key } }
    return .array(trees.map(\.tree))
  }

  private mutating func reference(
    to target: ManagedObject, through relationship: RelationshipPlan, in entity: EntityPlan
  ) throws -> JSONTree? {
    let destination = plan.entities[relationship.destination]
    // What has no key would be created again.
    guard let key = destination.key else { return nil }
    let isAround = around.contains { $0 === target }
    // One of a subentity has more than the record would say.
    let isWhole = target.layout === destination.entity && relationship.mapping.members != .linkOnly
    if around.count < depth, !isAround, isWhole {
      return try tree(target, plan: relationship.destination)
    }
    if relationship.mapping.members != .linkOnly, destination.isFoundTogether {
      try checkIsKept(target, in: destination, name: relationship.name, of: entity)
    }
    guard let tree = try self.key(of: target, in: destination, by: key) else {
      throw lossy(entity, name: relationship.name, because: "what it leads to has no key")
    }
    if case .value(let text) = tree, relationship.empty != nil {
      try checkIsNotBlank(text, relationship.name, of: entity)
    }
    return tree
  }
}

/// JSON that is being written.
indirect enum JSONTree {
  /// A value as its text.
  case value(String)
  case array([JSONTree])
  case object(names: [String], values: [String: JSONTree])

  static var empty: JSONTree { .object(names: [], values: [:]) }

  /// Puts a value where a path of names leads.
  /// - Returns: Whether there was room for it.
  mutating func set(_ tree: JSONTree, at path: ArraySlice<String>) -> Bool {
    guard case .object(var names, var values) = self, let name = path.first else { return false }
    if path.count == 1 {
      guard values[name] == nil else { return false }
      names.append(name)
      values[name] = tree
    } else {
      var inner = values[name] ?? .empty
      if values[name] == nil { names.append(name) }
      guard inner.set(tree, at: path.dropFirst()) else { return false }
      values[name] = inner
    }
    self = .object(names: names, values: values)
    return true
  }

  func write(to text: inout String) {
    switch self {
    case .value(let value): text += value
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let names, let values):
      text += "{"
      for (index, name) in names.enumerated() {
        if index > 0 { text += "," }
        text += JSONText.quoted(name) + ":"
        values[name]?.write(to: &text)
      }
      text += "}"
    }
  }
}

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
    _ object: ManagedObject, in entity: EntityPlan, name: String, of owner: EntityPlan
  ) throws {
    if entity.choice != nil, entity.entity.isAbstract {
      throw lossy(
        owner, name: name, because: "a key does not say which \(entity.entity.name) it leads to",
        hint: "Export with a greater depth, or import the relationship with members: .linkOnly.")
    }
    let reset =
      entity.attributes.first { entity.key?.has($0.index) != true && $0.isReset(in: object) }?.name
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
