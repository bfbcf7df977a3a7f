import CauldronGraph
import CauldronModel
import CauldronSave
import CauldronStore

// What can be known before anything is set. Where no code of the program's own has a say, that is all that
// can be wrong with a record.
extension ImportRun {
  /// - Returns: Whether a key is that of objects of two entities, so that it has to be seen whether they can be
  ///   one.
  func check(_ record: RecordDraft) throws(Refusal) -> Bool {
    var isDoubtful = false
    noteWays(record)
    for index in record.objects {
      let draft = chunk.objects[index]
      do throws(Refusal) { try check(draft, at: index, isDoubtful: &isDoubtful) } catch {
        // What does not want to be imported is not refused for anything.
        guard isAsked(draft) else { throw error.under(draft.path) }
        unit.refusals[index] = error
      }
    }
    return isDoubtful
  }

  /// Whether the class says which of its objects are imported.
  func isAsked(_ draft: ObjectDraft) -> Bool {
    plan.entities[draft.plan].isAsked && draft.source != nil
  }

  /// Notes what of a nested object is set by whoever it is nested in.
  private func noteWays(_ record: RecordDraft) {
    if record.objects.count < 2 { return }
    for draft in chunk.objects[record.objects] {
      for link in chunk.links[draft.links] {
        let relationship = plan.entities[draft.plan].relationships[link.relationship]
        guard let way = relationship.requiredInverse else { continue }
        for child in link.children ?? 0..<0 {
          if case .object(let index) = chunk.children[child] {
            unit.ways[index] = way
          }
        }
      }
    }
  }

  private func check(
    _ draft: ObjectDraft, at index: Int, isDoubtful: inout Bool
  ) throws(Refusal) {
    let entity = plan.entities[draft.plan]
    let known = known(index) == nil ? try resolved(draft.key, in: entity) : known(index)
    if let known, !known.layout.isKind(of: entity.entity) {
      throw Refusal(known, isNo: entity.entity)
    }
    if let failure = draft.failure { throw failure }
    let isFirst =
      draft.key < 0 || note(draft.key, in: entity, isRecord: true, isDoubtful: &isDoubtful)
    for value in chunk.values[draft.values] { try check(value, in: entity) }
    if known == nil, isFirst, !entity.mayFill {
      try checkIsComplete(draft, in: entity, sparing: unit.ways[index])
    }
    for link in chunk.links[draft.links] { try check(link, in: entity, isDoubtful: &isDoubtful) }
  }

  private func check(_ value: ValueDraft, in entity: EntityPlan) throws(Refusal) {
    let attribute = entity.attributes[value.attribute]
    if value.scalar == nil, !attribute.isRequired { return }
    let scalar = value.scalar ?? attribute.fallback
    if scalar.isNull {
      guard attribute.isRequired, !attribute.isImported else { return }
      throw Refusal(
        .validationMissing, "\(entity.entity.name).\(attribute.name) is required, and null"
      )
      .under(value.path)
    }
    if attribute.rules.isEmpty { return }
    var scratch = RowBuilder()
    let row = scratch.set(
      attribute.index, scalar, of: scratch.begin(entity.entity, key: 0), entity.entity)
    for rule in attribute.rules {
      guard let failure = rule.failure(in: row) else { continue }
      let error = CauldronError.broken(failure, name: "\(entity.entity.name).\(attribute.name)")
      throw Refusal(error.code, error.message.trimmed).under(value.path)
    }
  }

  /// A new object has all that is required.
  /// - Parameter way: What is set by whoever the object is nested in.
  func checkIsComplete(
    _ draft: ObjectDraft, in entity: EntityPlan, sparing way: String?
  ) throws(Refusal) {
    for name in entity.lacks where name != way {
      let isSet = chunk.values[draft.values].contains {
        entity.attributes[$0.attribute].name == name
          && !($0.scalar ?? entity.attributes[$0.attribute].fallback).isNull
      }
      let isLinked = chunk.links[draft.links].contains {
        entity.relationships[$0.relationship].name == name && $0.children?.isEmpty == false
      }
      if isSet || isLinked || entity.imported.contains(name) { continue }
      throw Refusal(
        .validationMissing, "\(entity.entity.name).\(name) is required, and the record has none")
    }
  }

  private func check(
    _ link: LinkDraft, in entity: EntityPlan, isDoubtful: inout Bool
  ) throws(Refusal) {
    let relationship = entity.relationships[link.relationship]
    let destination = plan.entities[relationship.destination]
    guard let children = link.children, let key = destination.key else { return }
    for child in children {
      guard case .key(let slot) = chunk.children[child] else { continue }
      do throws(Refusal) {
        if try target(at: slot, in: destination) == nil {
          try checkMayCome(chunk.keys[slot], by: key, to: destination, through: relationship)
          _ = note(slot, in: destination, isRecord: false, isDoubtful: &isDoubtful)
        }
      } catch { throw error.under(link.path(of: child)) }
    }
  }

  /// Notes that the record names a key.
  /// - Returns: Whether it is the first with this key that says more than that.
  private func note(
    _ slot: Int, in entity: EntityPlan, isRecord: Bool, isDoubtful: inout Bool
  ) -> Bool {
    let record = report.records
    if slots[slot].seen.record != record { slots[slot].seen = .init(record: record) }
    if let former = slots[slot].seen.entity, former !== entity.entity { isDoubtful = true }
    slots[slot].seen.entity = entity.entity
    guard isRecord else { return false }
    // What is not unique may be that of objects of different families.
    let isSame = slots[slot].seen.recordAs.map {
      entity.key?.unique != nil || $0.isKind(of: entity.family)
    }
    slots[slot].seen.recordAs = entity.entity
    return isSame != true
  }

  /// What is not there may have to be in the file.
  func checkMayCome(
    _ ref: KeyRef, by key: KeyPlan, to destination: EntityPlan,
    through relationship: RelationshipPlan
  ) throws(Refusal) {
    if relationship.mapping.unknown != .refuse || announced?.contains(ref) == true { return }
    throw Refusal(
      .importUnknown,
      "nothing has \(destination.entity.name).\(key.shown(ref.value))")
  }

  /// What a key leads to; nil where nothing has it yet.
  func target(
    at slot: Int, in entity: EntityPlan
  ) throws(Refusal) -> ManagedObject? {
    let known = try resolved(slot, in: entity)
    if let known, !known.layout.isKind(of: entity.family) {
      throw Refusal(known, isNo: entity.family)
    }
    return known
  }
}

extension Refusal {
  /// An object of another entity has the key.
  init(_ object: ManagedObject, isNo entity: EntityLayout) {
    self.init(
      .importAmbiguous,
      "the object with this key is a \(object.layout.name) and no \(entity.name)")
  }
}

extension String {
  /// Without the point at its end.
  var trimmed: String { hasSuffix(".") ? String(dropLast()) : self }
}

// What there may be once only, beside what objects are found by.
extension ImportRun {
  /// Looks for the unique values of the chunk, as far as its records tell them.
  /// - Complexity: One statement for each unique key and few hundred objects.
  func lookUpUnique() throws {
    if plan.extraKeys.isEmpty { return }
    var wanted: [KeyOfEntity: (key: UniqueKey, entity: EntityLayout, values: [[AttributeScalar]])] =
      [:]
    // What records of the chunk have said of a key so far, by its place: they may complete each other.
    var said: [Int: [Int: AttributeScalar]] = [:]
    for (index, draft) in chunk.objects.enumerated() {
      let entity = plan.entities[draft.plan]
      // Where it is known which object the only record is, that is the first.
      let object = (index == 0 ? known : nil) ?? (try? resolved(draft.key, in: entity))
      let before = said[draft.key] ?? [:]
      for key in entity.extraKeys {
        // Those before it may be refused.
        for before in before.isEmpty ? [[:]] : [[:], before] {
          let values = values(of: draft, after: before, for: object, as: key)
          guard let values else { continue }
          let place = KeyOfEntity(root: entity.entity.rootNumber, number: key.number)
          wanted[place, default: (key, entity.entity, [])].values.append(values)
        }
      }
      if draft.key >= 0 { noteUnique(draft, &said[draft.key, default: [:]]) }
    }
    for (key, entity, values) in wanted.values {
      for values in values { foundUnique[UniqueValues(values, of: key, in: entity)] = [] }
      for object in try context.importedObjects(by: key, of: entity, values: values).objects {
        guard let values = object.importedUniqueValues(key) else { continue }
        foundUnique[values, default: []].append(object)
      }
    }
  }

  /// Notes what a record says of attributes that have a part in unique values, by their indexes.
  private func noteUnique(_ draft: ObjectDraft, _ said: inout [Int: AttributeScalar]) {
    let entity = plan.entities[draft.plan]
    for value in chunk.values[draft.values] {
      let attribute = entity.attributes[value.attribute]
      let isPart = entity.extraKeys.contains { $0.set.contains(attribute.index) }
      if isPart { said[attribute.index] = value.scalar ?? attribute.fallback }
    }
  }

  private struct KeyOfEntity: Hashable {
    let root: Int32
    let number: Int
  }

  /// The values that a record gives an object, or leaves it; nil where one of them is null, or not in the
  /// record.
  /// - Parameters:
  ///   - before: What earlier records say of the object, by the properties' indexes.
  ///   - object: The object that is there; nil where there is none.
  private func values(
    of draft: ObjectDraft, after before: [Int: AttributeScalar], for object: ManagedObject?,
    as key: UniqueKey
  ) -> [AttributeScalar]? {
    let entity = plan.entities[draft.plan]
    var result: [AttributeScalar] = []
    for property in key.properties {
      guard property.attributeType != nil, let storage = property.storageClass else { return nil }
      let said = chunk.values[draft.values].first {
        entity.attributes[$0.attribute].index == property.index
      }
      let scalar =
        said.map { $0.scalar ?? entity.attributes[$0.attribute].fallback }
        ?? before[property.index] ?? object?.importedScalar(at: property.index, storage: storage)
        ?? entity.key?.scalar(property.index, of: chunk.keys[draft.key].value)
        ?? entity.entity.template.row.scalar(property.index, storage)
      if scalar.isNull { return nil }
      result.append(scalar)
    }
    return result
  }

  /// Looks whether what a record has changed has unique values of others.
  func checkUnique(_ touched: ImportTouched) throws {
    if plan.extraKeys.isEmpty { return }
    for object in touched.objects where object.isThereForImport {
      let numbers = plan.extraKeys[object.layout.rootNumber] ?? []
      for key in object.layout.uniqueKeys where numbers.contains(key.number) {
        guard let values = object.importedUniqueValues(key) else { continue }
        if taken[values] !== object { try findHolders(of: values, like: object, as: key) }
        let others = (foundUnique[values] ?? []) + (taken[values].map { [$0] } ?? [])
        let hasAnother = others.contains { other in
          other !== object && other.isThereForImport && other.importedUniqueValues(key) == values
        }
        if hasAnother { throw Refusal(object, key) }
        taken[values] = object
      }
    }
  }
}

extension ImportRun {
  /// Looks for unique values that no record tells by itself: what a reference leads to is known once it is set,
  /// and two records may say a part each of one object.
  /// - Complexity: One statement for values that were not looked for.
  private func findHolders(
    of values: UniqueValues, like object: ManagedObject, as key: UniqueKey
  ) throws {
    if foundUnique[values] != nil { return }
    let scalars = key.properties.compactMap { property in
      property.storageClass.map { object.importedScalar(at: property.index, storage: $0) }
    }
    foundUnique[values] = try context.importedObjects(by: key, of: object.layout, values: [scalars])
      .objects
  }
}

extension ManagedObject {
  /// A property for a sentence: of a relationship what its object is found by.
  fileprivate func shown(_ property: PropertyLayout) -> String {
    if property.attributeType == nil {
      guard let target = destination(property.index) else { return "nothing" }
      let key = target.layout.uniqueKeys.first { $0.properties.count == 1 }?.properties.first
      return key.map { "\(target.layout.name) \(target.shown($0))" } ?? "\(target.objectID)"
    }
    return property.storageClass.map { importedScalar(at: property.index, storage: $0).shown }
      ?? "null"
  }
}

extension Refusal {
  fileprivate init(_ object: ManagedObject, _ key: UniqueKey) {
    let entity = object.layout.name
    let values = key.properties.map(object.shown)
    let which = "\(entity).\(key.names.joined(separator: ", "))"
    let together = key.names.count > 1 ? " together" : ""
    self.init(
      .saveConstraint,
      "\(which) must be unique\(together), and another has \(values.joined(separator: ", "))")
  }
}
