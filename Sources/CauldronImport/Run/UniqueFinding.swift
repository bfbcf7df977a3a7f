import CauldronGraph
import CauldronModel
import CauldronStore

/// Finds the objects with unique values beside keys: what there may be once only, and no record is found by.
final class UniqueFinding {
  private let state: ImportState
  private let keys: KeyFinding
  /// What the store has of the values.
  private var found: [UniqueValues: [ManagedObject]] = [:]
  /// The values that this import has given, of which there may be one each.
  private var taken: [UniqueValues: ManagedObject] = [:]

  init(_ state: ImportState, _ keys: KeyFinding) {
    self.state = state
    self.keys = keys
  }

  /// Ends a chunk.
  func endChunk() { found.removeAll(keepingCapacity: true) }

  /// What the import has given is in the store now.
  func noteCommit() { taken = [:] }

  /// Looks for the unique values of the chunk, as far as its records tell them.
  /// - Complexity: One statement for each unique key and few hundred objects.
  func lookUp() throws {
    if state.plan.extraKeys.isEmpty { return }
    var wanted: [KeyOfEntity: (key: UniqueKey, entity: EntityLayout, values: [[AttributeScalar]])] =
      [:]
    // What records of the chunk have said of a key so far, by its place: they may complete each other.
    var said: [Int: [Int: AttributeScalar]] = [:]
    for (index, draft) in state.chunk.objects.enumerated() {
      let entity = state.plan.entities[draft.plan]
      // Where it is known which object the only record is, that is the first.
      let object = (index == 0 ? state.known : nil) ?? (try? keys.resolved(draft.key, in: entity))
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
      for values in values { found[UniqueValues(values, of: key, in: entity)] = [] }
      for object in try state.context.importedObjects(by: key, of: entity, values: values).objects {
        guard let values = object.importedUniqueValues(key) else { continue }
        found[values, default: []].append(object)
      }
    }
  }

  /// Notes what a record says of attributes that have a part in unique values, by their indexes.
  private func noteUnique(_ draft: ObjectDraft, _ said: inout [Int: AttributeScalar]) {
    let entity = state.plan.entities[draft.plan]
    for value in state.chunk.values[draft.values] {
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
    let entity = state.plan.entities[draft.plan]
    var result: [AttributeScalar] = []
    for property in key.properties {
      guard property.attributeType != nil, let storage = property.storageClass else { return nil }
      let said = state.chunk.values[draft.values].first {
        entity.attributes[$0.attribute].index == property.index
      }
      let scalar =
        said.map { $0.scalar ?? entity.attributes[$0.attribute].fallback }
        ?? before[property.index] ?? object?.importedScalar(at: property.index, storage: storage)
        ?? entity.key?.scalar(property.index, of: state.chunk.keys[draft.key].value)
        ?? entity.entity.template.row.scalar(property.index, storage)
      if scalar.isNull { return nil }
      result.append(scalar)
    }
    return result
  }

  /// Looks whether what a record has changed has unique values of others.
  func check(_ touched: ImportTouched) throws {
    if state.plan.extraKeys.isEmpty { return }
    for object in touched.objects where object.isThereForImport {
      let numbers = state.plan.extraKeys[object.layout.rootNumber] ?? []
      for key in object.layout.uniqueKeys where numbers.contains(key.number) {
        guard let values = object.importedUniqueValues(key) else { continue }
        if taken[values] !== object { try findHolders(of: values, like: object, as: key) }
        let others = (found[values] ?? []) + (taken[values].map { [$0] } ?? [])
        let hasAnother = others.contains { other in
          other !== object && other.isThereForImport && other.importedUniqueValues(key) == values
        }
        if hasAnother { throw Refusal(object, key) }
        taken[values] = object
      }
    }
  }

  /// Looks for unique values that no record tells by itself: what a reference leads to is known once it is set,
  /// and two records may say a part each of one object.
  /// - Complexity: One statement for values that were not looked for.
  private func findHolders(
    of values: UniqueValues, like object: ManagedObject, as key: UniqueKey
  ) throws {
    if found[values] != nil { return }
    let scalars = key.properties.compactMap { property in
      property.storageClass.map { object.importedScalar(at: property.index, storage: $0) }
    }
    found[values] = try state.context.importedObjects(by: key, of: object.layout, values: [scalars])
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
