import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Random changes of random models leave what the same changes leave of dictionaries.
@Suite(.againstHanging, .ownThread) struct MigrationOracleTests {
  private static let seeds = (1...(slack < 5 ? 30 : 5)).map { UInt64($0) }

  @Test(arguments: seeds)
  func `a migrated store has what dictionaries have`(_ seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let store = try DayTwo()
    var last = 0
    for version in 0..<3 {
      try store.open(model.entities) { context in
        #expect(try Self.read(context, model) == model.objects, "seed \(seed), version \(version)")
        try Self.fill(&model, &last, context)
      }
      model.settle()
      for _ in 0..<4 { model.change() }
    }
    let found = try store.open(model.entities) { try Self.read($0, model) }
    #expect(found == model.objects, "seed \(seed)")
    let fresh = try DayTwo()
    try fresh.open(model.entities) { _ in }
    #expect(try Self.schema(store.url) == Self.schema(fresh.url), "seed \(seed)")
  }

  private static func fill(
    _ model: inout RandomModel, _ last: inout Int, _ context: ManagedObjectContext
  ) throws {
    var made: [Int: ManagedObject] = [:]
    for object in try all(context, model) { made[object.uid] = object }
    for _ in 0..<10 {
      last += 1
      model.addObject(last)
      guard let object = model.objects[last] else { continue }
      let new = try context.insertNewObject(forEntityName: object.entity)
      try new.setValue(last, forKey: "uid")
      for property in new.entity.properties {
        guard case .attribute(let attribute) = property, attribute.name != "uid" else { continue }
        try new.setValue(object.values[attribute.name]?.any(attribute.type), forKey: attribute.name)
      }
      for (name, other) in object.references { try new.setValue(made[other], forKey: name) }
      made[last] = new
    }
  }

  private static func all(
    _ context: ManagedObjectContext, _ model: RandomModel
  ) throws -> [ManagedObject] {
    try model.entities.flatMap { entity in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
    }
  }

  private static func read(
    _ context: ManagedObjectContext, _ model: RandomModel
  ) throws -> [Int: RandomModel.Object] {
    var found: [Int: RandomModel.Object] = [:]
    for object in try all(context, model) {
      var seen = RandomModel.Object(entity: object.entity.name)
      for property in object.entity.properties where property.name != "uid" {
        let value = object.value(forKey: property.name)
        switch property {
        case .attribute: seen.values[property.name] = AttributeScalar(any: value)
        case .relationship(let relationship) where !relationship.isToMany:
          seen.references[property.name] = (value as? ManagedObject)?.uid
        case .relationship: continue
        }
      }
      found[object.uid] = seen
    }
    return found
  }

  /// Tables with their columns, and indexes, but for their order.
  private static func schema(_ url: URL) throws -> Set<String> {
    let other = OtherConnection(url)
    let columns = other.texts(
      "SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master AS m,"
        + " pragma_table_info(m.name) AS c WHERE m.type = 'table'")
    let indexes = other.texts(
      "SELECT name || ' ' || sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
    let keys = other.texts(
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY")
    #expect(other.texts("PRAGMA integrity_check") == ["ok"])
    return Set(columns + indexes + keys)
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
