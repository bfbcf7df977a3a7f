import CauldronGraph
import CauldronModel

// What there may be once only, beside what objects are found by.
extension ImportRun {
  /// Looks for the unique values of the chunk, as far as its records tell them.
  /// - Complexity: One statement for each unique key and few hundred objects.
  func lookUpUnique() throws {
    if plan.extraKeys.isEmpty { return }
    var wanted: [KeyOfEntity: (key: UniqueKey, entity: EntityLayout, values: [[AttributeScalar]])] =
      [:]
    for draft in chunk.objects {
      let entity = plan.entities[draft.plan]
      for key in entity.extraKeys {
        guard let values = values(of: draft, entity, key) else { continue }
        let place = KeyOfEntity(root: entity.entity.rootNumber, number: key.number)
        wanted[place, default: (key, entity.entity, [])].values.append(values)
      }
    }
    for (key, entity, values) in wanted.values {
      var rest = values[...]
      while !rest.isEmpty {
        for object in try context.importedObjects(key, entity, Array(rest.prefix(256))) {
          guard let values = object.importedUniqueValues(key) else { continue }
          foundUnique[values, default: []].append(object)
        }
        rest = rest.dropFirst(256)
      }
    }
  }

  private struct KeyOfEntity: Hashable {
    let root: Int32
    let number: Int
  }

  /// The values that a record gives an object, or leaves it; nil where one of them is null, or not in the
  /// record.
  private func values(
    of draft: ObjectDraft, _ entity: EntityPlan, _ key: UniqueKey
  ) -> [AttributeScalar]? {
    var result: [AttributeScalar] = []
    let known = try? resolved(draft.key, entity)
    for property in key.properties {
      guard property.attributeType != nil, let storage = property.storageClass else { return nil }
      let said = chunk.values[draft.values].first {
        entity.attributes[$0.attribute].index == property.index
      }
      let scalar =
        said.map { $0.scalar ?? entity.attributes[$0.attribute].fallback }
        ?? known?.importedScalar(property.index, storage)
        ?? (property.index == entity.key?.property.index
          ? chunk.keys[draft.key].value
          : entity.entity.template.row.scalar(property.index, storage))
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

extension Refusal {
  fileprivate init(_ object: ManagedObject, _ key: UniqueKey) {
    let entity = object.layout.name
    let values = key.properties.map { property in
      property.storageClass.map { object.importedScalar(property.index, $0).shown } ?? "null"
    }
    let which = "\(entity).\(key.names.joined(separator: ", "))"
    let together = key.names.count > 1 ? " together" : ""
    self.init(
      .saveConstraint,
      "\(which) must be unique\(together), and another has \(values.joined(separator: ", "))")
  }
}
