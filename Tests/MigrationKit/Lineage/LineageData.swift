import Cauldron
import CauldronModel
import Foundation

/// Writes the objects of a random model into a context, and reads them.
struct LineageData<Generator: RandomNumberGenerator> {
  let context: ManagedObjectContext

  /// Writes objects of the model into the context, which has those with smaller keys.
  func write(_ keys: ClosedRange<Int>, of model: RandomModel<Generator>) throws {
    var made: [Int: ManagedObject] = [:]
    for object in try all(model) { made[object.uid] = object }
    for key in keys {
      guard let object = model.objects[key] else { continue }
      let new = try context.insertNewObject(forEntityName: object.entity)
      made[key] = new
      try new.setValue(key, forKey: "uid")
      for property in model.properties(of: object.entity) where property.name != "uid" {
        try set(property, of: new, to: object, model, made)
      }
    }
  }

  private func set(
    _ property: PropertyDescription, of new: ManagedObject, to object: DataObject,
    _ model: RandomModel<Generator>, _ made: [Int: ManagedObject]
  ) throws {
    switch property {
    case .attribute(let attribute):
      try new.setValue(object.values[attribute.name]?.any(attribute.type), forKey: attribute.name)
    case .relationship(let found) where model.isLeading(found) && found.isToMany:
      let others = (object.lists[found.name] ?? []).compactMap { made[$0] }
      if !others.isEmpty { try new.setValue(others, forKey: found.name) }
    case .relationship(let found) where model.isLeading(found):
      try new.setValue(object.references[found.name].flatMap { made[$0] }, forKey: found.name)
    case .relationship: break
    }
  }

  private func all(_ model: RandomModel<Generator>) throws -> [ManagedObject] {
    try model.entities.filter { $0.superentity == nil }.flatMap { entity in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
    }
  }

  /// What the context shows.
  func read(_ model: RandomModel<Generator>) throws -> [Int: DataObject] {
    var found: [Int: DataObject] = [:]
    for object in try all(model) { found[object.uid] = seen(object, model) }
    return found
  }

  private func seen(_ object: ManagedObject, _ model: RandomModel<Generator>) -> DataObject {
    var seen = DataObject(entity: object.entity.name)
    for property in model.properties(of: seen.entity) where property.name != "uid" {
      let value = object.value(forKey: property.name)
      switch property {
      case .attribute: seen.values[property.name] = AttributeScalar(any: value)
      case .relationship(let relationship) where relationship.isToMany:
        let keys = (value as? [ManagedObject])?.map(\.uid) ?? []
        seen.lists[property.name] = relationship.isOrdered ? keys : keys.sorted()
      case .relationship: seen.references[property.name] = (value as? ManagedObject)?.uid
      }
    }
    return seen
  }
}

extension ManagedObject {
  fileprivate var uid: Int { value(forKey: "uid") as? Int ?? 0 }
}

extension AttributeScalar {
  fileprivate init?(any value: Any?) {
    switch value {
    case let value as Int: self = .integer(Int64(value))
    case let value as Int16: self = .integer(Int64(value))
    case let value as Int32: self = .integer(Int64(value))
    case let value as Bool: self = .integer(value ? 1 : 0)
    case let value as Double: self = .real(value)
    case let value as Date: self = .real(value.timeIntervalSinceReferenceDate)
    case let value as String: self = .text(value)
    default: return nil
    }
  }

  /// The value as its type takes it.
  fileprivate func any(_ type: AttributeType) -> Any? {
    switch (self, type) {
    case (.integer(let value), .integer16): Int16(truncatingIfNeeded: value)
    case (.integer(let value), .integer32): Int32(truncatingIfNeeded: value)
    case (.integer(let value), .boolean): value != 0
    case (.integer(let value), _): Int(value)
    case (.real(let value), .date): Date(timeIntervalSinceReferenceDate: value)
    case (.real(let value), _): value
    case (.text(let value), _): value
    default: nil
    }
  }
}
