package import CauldronModel

/// Reads records as a plan says: finds the values, coerces them, and notes what leads where. Nothing of the
/// store is needed.
package struct RecordReader: Sendable {
  private let plan: ImportPlan
  private let keepsSources: Bool
  private let shape: RecordShape
  private var chunk = ImportChunk()
  /// Those before it, which are full.
  private var full: [ImportChunk] = []
  private let chunkSize: Int
  /// How many records were read.
  package private(set) var count = 0

  /// - Parameter chunkSize: How many records are handed out together at most.
  package init(_ plan: ImportPlan, chunkSize: Int = .max) {
    self.plan = plan
    self.chunkSize = chunkSize
    keepsSources = plan.keepsSources
    shape = RecordShape(plan)
  }

  /// The number of records that wait to be taken.
  package var waiting: Int { full.count * chunkSize + chunk.records.count }

  /// Hands out what was read, the first of it where that is much.
  package mutating func take() -> ImportChunk {
    full.isEmpty ? takeLast() : full.removeFirst()
  }

  private mutating func takeLast() -> ImportChunk {
    let full = chunk
    chunk = ImportChunk()
    // The next one will be about as long, but for what is very long.
    chunk.keys.reserve(min(full.keys.all.count, 4_096))
    return full
  }

  /// Reads a record.
  package mutating func read(_ value: JSONValue) {
    let place = RecordPlace(
      number: count, isAlone: value.isAlone, name: value.recordName, isPlain: shape.isPlain(value))
    count += 1
    if place.number < plan.options.skipping { return }
    let record = shape.record(value)
    defer { if chunk.records.count >= chunkSize { full.append(takeLast()) } }
    let end = chunk.end
    let start = end.objects
    let keyCount = chunk.keys.all.count
    do {
      if place.isAlone { try plan.entities[chosen(record, from: 0)].checkForRoot(record) }
      _ = try object(record, plan: 0, path: "")
      chunk.records.append(
        RecordDraft(
          place: place, objects: start..<chunk.objects.count, problem: nil,
          key: keyValue(of: chunk.objects[start])))
    } catch {
      chunk.keys.keepFirst(keyCount)
      chunk.cut(to: end)
      chunk.records.append(
        RecordDraft(
          place: place, objects: start..<start,
          problem: place.problem(at: error.path, error.code, error.reason, .refused),
          key: plan.entities[0].key.flatMap { try? key(of: record, in: plan.entities[0], by: $0) }))
    }
  }

  /// The number of the plan of the entity that a record is of.
  /// - Parameter number: That of the plan that leads to it.
  private func chosen(_ record: JSONValue, from number: Int) throws(Refusal) -> Int {
    guard let choice = plan.entities[number].choice else { return number }
    let name = plan.entities[number].entity.name
    guard let found = try choice.paths.value(in: record), found.value.kind != .null else {
      if !plan.entities[number].entity.isAbstract { return number }
      let field = choice.paths.first?.text ?? ""
      throw Refusal(.importValue, "nothing says which \(name) it is: \"\(field)\" is missing")
    }
    if let text = found.value.text, let chosen = choice.plans[text] { return chosen }
    throw Refusal(found.value, "names no kind of \(name)").under(found.pointer)
  }

  /// - Returns: The object's number.
  private mutating func object(
    _ record: JSONValue, plan number: Int, path: String
  ) throws(Refusal) -> Int {
    guard record.kind == .object else {
      throw Refusal(
        record, record.kind == .unusable ? "has no form in a record" : "is not an object")
    }
    let number = try chosen(record, from: number)
    let entity = plan.entities[number]
    if count <= UnreadNames.limit, !entity.takesWholeRecords {
      let names = record.members.map(\.name).filter { !entity.takes($0) }
      chunk.unread.note(names, of: entity.entity.name)
    }
    let source = keepsSources ? ImportSource(record) : nil
    let key =
      try entity.key.map { key throws(Refusal) in try slot(of: record, in: entity, by: key) } ?? -1
    var end = chunk.end
    let index = end.objects
    end.objects += 1
    chunk.objects.append(
      ObjectDraft(
        plan: number, key: key, values: 0..<0, links: 0..<0, path: path, source: source))
    do { try contents(from: record, as: entity, of: index, path: path) } catch {
      guard source != nil, entity.isAsked else { throw error }
      chunk.cut(to: end)
      chunk.objects[index].failure = error
      chunk.objects[index].values = 0..<0
    }
    return index
  }

  /// Reads the values and the links of an object.
  private mutating func contents(
    from record: JSONValue, as entity: EntityPlan, of index: Int, path: String
  ) throws(Refusal) {
    let start = chunk.values.count
    for attribute in entity.attributes.indices {
      try value(of: record, in: entity, at: attribute)
    }
    chunk.objects[index].values = start..<chunk.values.count
    var links: [LinkDraft] = []
    for (position, relationship) in entity.relationships.enumerated() {
      if let link = try link(in: record, through: relationship, at: position, path: path) {
        links.append(link)
      }
    }
    let first = chunk.links.count
    chunk.links += links
    chunk.objects[index].links = first..<chunk.links.count
  }

  private func keyValue(of object: ObjectDraft) -> KeyValue? {
    object.key < 0 ? nil : chunk.keys[object.key].value
  }

  private mutating func slot(
    of record: JSONValue, in entity: EntityPlan, by key: KeyPlan
  ) throws(Refusal) -> Int {
    chunk.keys.slot(KeyRef(key, try self.key(of: record, in: entity, by: key)))
  }

  private func key(
    of record: JSONValue, in entity: EntityPlan, by key: KeyPlan
  ) throws(Refusal) -> KeyValue {
    if let only = key.only { return .one(try part(only, of: record, in: entity, by: key)) }
    var scalars: [AttributeScalar] = []
    for part in key.parts {
      scalars.append(try self.part(part, of: record, in: entity, by: key))
    }
    return .several(scalars)
  }

  /// What a record has for one of the attributes that its object is found by.
  private func part(
    _ part: AttributePlan, of record: JSONValue, in entity: EntityPlan, by key: KeyPlan
  ) throws(Refusal) -> AttributeScalar {
    let found = try found(
      in: record, at: part.paths, by: part.mapping.transform, named: part.name)
    let isEmpty = found.flatMap { part.policy(forEmpty: $0.value) } != nil
    if let found, !isEmpty {
      do {
        let scalar = try part.coercion.scalar(found.value)
        if !scalar.isNull { return scalar }
      } catch { throw error.under(found.pointer) }
    }
    let name = part.paths.first?.text ?? part.name
    let what = isEmpty ? "is empty" : found == nil ? "is missing" : "is null"
    let why =
      key.only == nil
      ? "and a \(entity.entity.name) is found by \(key.places) together"
      : "so that nobody knows which \(entity.entity.name) it is"
    throw Refusal(.importMissingKey, "the record has no key: \"\(name)\" \(what), \(why)")
  }

  private mutating func value(
    of record: JSONValue, in entity: EntityPlan, at position: Int
  ) throws(Refusal) {
    let attribute = entity.attributes[position]
    let found = try found(
      in: record, at: attribute.paths, by: attribute.mapping.transform, named: attribute.name)
    let source = keepsSources ? found.map { ImportSource($0.value) } : nil
    let policy: ImportPolicy
    if let empty = found.flatMap({ attribute.policy(forEmpty: $0.value) }) {
      policy = empty
    } else if let found {
      let scalar: AttributeScalar
      do { scalar = try attribute.coercion.scalar(found.value) } catch {
        guard attribute.isImported, source != nil else { throw error.under(found.pointer) }
        chunk.values.append(
          ValueDraft(
            attribute: position, scalar: .null, path: found.pointer, source: source,
            failure: error.under(found.pointer)))
        return
      }
      if !scalar.isNull {
        chunk.values.append(
          ValueDraft(attribute: position, scalar: scalar, path: found.pointer, source: source))
        return
      }
      policy = attribute.mapping.null
    } else {
      policy = attribute.mapping.absent
    }
    // Functions of the class's own are told of null, too.
    if policy == .keep, source == nil || !attribute.isImported { return }
    let path = found?.pointer ?? attribute.paths.first?.pointer ?? ""
    chunk.values.append(
      ValueDraft(
        attribute: position, scalar: policy == .setDefault ? nil : .null, path: path,
        source: source))
  }

  /// What a property's names lead to, or what its transform makes of the record.
  private func found(
    in record: JSONValue, at paths: [SourcePath], by transform: ImportTransform?, named name: String
  ) throws(Refusal) -> (pointer: String, value: JSONValue)? {
    guard let transform else { return try paths.value(in: record) }
    let pointer = ImportPointer.step(name)
    do {
      let made = try transform.read(ImportSource(record))
      if let source = made as? ImportSource { return (pointer, source.value) }
      return (pointer, try JSONTape(made).root)
    } catch let error as CauldronError {
      throw Refusal(error.code, error.message).under(pointer)
    } catch {
      throw Refusal(.importValue, "its transform throws \(error)").under(pointer)
    }
  }
}

// Relationships.
extension RecordReader {
  private mutating func link(
    in record: JSONValue, through relationship: RelationshipPlan, at position: Int, path: String
  ) throws(Refusal) -> LinkDraft? {
    let found = try found(
      in: record, at: relationship.paths, by: relationship.mapping.transform,
      named: relationship.name)
    let source = keepsSources ? found.map { ImportSource($0.value) } : nil
    let empty = found.flatMap { relationship.policy(forEmpty: $0.value) }
    guard let found, found.value.kind != .null, empty == nil else {
      let policy =
        empty ?? (found == nil ? relationship.mapping.absent : relationship.mapping.null)
      guard policy != .keep else { return nil }
      return LinkDraft(
        relationship: position, children: nil, path: found?.pointer ?? "", isList: false,
        source: source)
    }
    var children: [ChildDraft] = []
    do throws(Refusal) {
      if found.value.kind == .array {
        guard relationship.isToMany else {
          throw Refusal(found.value, "stands where one object belongs")
        }
        for (number, element) in found.value.elements.enumerated() {
          let step = "/\(number)"
          do {
            children.append(
              try child(element, through: relationship, path: path + found.pointer + step))
          } catch { throw error.under(step) }
        }
      } else {
        children.append(try child(found.value, through: relationship, path: path + found.pointer))
      }
    } catch { throw error.under(found.pointer) }
    let first = chunk.children.count
    chunk.children += children
    return LinkDraft(
      relationship: position, children: first..<chunk.children.count, path: found.pointer,
      isList: found.value.kind == .array, source: source)
  }

  private mutating func child(
    _ value: JSONValue, through relationship: RelationshipPlan, path: String
  ) throws(Refusal) -> ChildDraft {
    let entity = plan.entities[relationship.destination]
    switch value.kind {
    // What is found by several attributes has no other key than a record with these.
    case .object where relationship.needsSubentity && !entity.isFoundTogether:
      throw Refusal(
        value,
        "cannot be imported: \(entity.entity.name) is abstract, and nothing names a subentity")
    case .object where relationship.mapping.members != .linkOnly:
      return .object(
        try object(value, plan: relationship.destination, path: path))
    case .object:
      guard let key = entity.key else {
        throw Refusal(value, "cannot be linked: \(entity.entity.name) has no key")
      }
      return .key(try slot(of: value, in: entity, by: key))
    case .array: throw Refusal(value, "stands where one object belongs")
    case .null: throw Refusal(.importMissingKey, "null is no object")
    case .string where relationship.policy(forEmpty: value) != nil:
      throw Refusal(.importMissingKey, "an empty text is no object")
    default:
      guard let key = entity.key else {
        throw Refusal(
          .importMissingKey,
          "\(value.json()) refers to a \(entity.entity.name), which has no key to be found by")
      }
      guard let only = key.only else {
        throw Refusal(
          .importMissingKey,
          "\(value.json()) refers to a \(entity.entity.name), which is found by \(key.places)"
            + " together; write an object with these")
      }
      return .key(chunk.keys.slot(KeyRef(key, .one(try only.coercion.scalar(value)))))
    }
  }
}

extension EntityPlan {
  /// Refuses a text of one object that has nothing of a record, and records under one of its names.
  fileprivate func checkForRoot(_ record: JSONValue) throws(Refusal) {
    let members = record.members
    if takesWholeRecords || members.contains(where: { takes($0.name) }) { return }
    let list = members.first { _, value in
      value.kind == .array && value.elements.first?.kind == .object
    }
    guard let list else { return }
    throw Refusal(
      .importRoot,
      "none of its names is imported by \(entity.name); name \"\(list.name)\", which has a list of objects, in"
        + " root: of the import")
  }
}
