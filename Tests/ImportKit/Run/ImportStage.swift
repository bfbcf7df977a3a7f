import Cauldron
import CauldronGraph
import CauldronImport
import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import Logging

/// A store with a random model, and the same as dictionaries.
final class ImportStage: Sendable {
  let shape: Shape
  let stack: Stack
  private let folder: URL?

  init(_ shape: Shape, inFile: Bool) throws {
    self.shape = shape
    var configuration = StackConfiguration()
    configuration.mainQueue = DispatchQueue(label: "imports.main")
    configuration.synchronous = .normal
    configuration.logger = Logger(label: "imports") { _ in SwiftLogNoOpLogHandler() }
    folder =
      inFile
      ? FileManager.default.temporaryDirectory.appending(path: "imports-\(UUID().uuidString)")
      : nil
    if let folder {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    stack = try Stack(
      storeURL: folder?.appending(path: "store.sqlite"),
      model: ManagedObjectModel(entities: shape.descriptions), configuration: configuration)
  }

  func close() throws {
    try stack.close()
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  /// Imports as programs do that have the records in memory, or chunk by chunk.
  func run(_ one: ImportCase) async throws -> ImportReport {
    guard let entity = stack.model.layout(named: one.entity) else { throw CancellationError() }
    let plan = try ImportPlan(entity, stack.model, one.options)
    var records: [JSONTape] = []
    var parser = JSONParser()
    try Array(one.text.utf8).withUnsafeBufferPointer { bytes in
      try parser.read(bytes) { records.append($0) }
    }
    try parser.finish { records.append($0) }
    var keys: ImportKeys?
    if plan.readsTwice {
      var reader = RecordReader(plan)
      for record in records { reader.read(record.root) }
      var all = ImportKeys()
      all.note(reader.take(), plan)
      keys = all
    }
    let session = ImportSession(
      plan, parent: stack.rootSavingContext, at: (file: #fileID, line: #line))
    var reader = RecordReader(plan)
    for record in records {
      reader.read(record.root)
      if reader.waiting == one.size { try await session.take(reader.take(), keys) }
    }
    if reader.waiting > 0 { try await session.take(reader.take(), keys) }
    return try await session.finish()
  }

  /// Puts the objects of a world into the store.
  func fill(_ world: World) async throws {
    try await stack.save { local in
      var made: [Int: ManagedObject] = [:]
      for id in world.ids {
        guard let object = world.objects[id] else { continue }
        let new = try local.insertNewObject(forEntityName: object.entity)
        for (name, value) in object.values {
          if let index = new.layout.index(of: name) { new.setScalar(at: index, to: value) }
        }
        made[id] = new
      }
      for (id, new) in made {
        for relationship in world.shape.relationships(new.layout.name) {
          guard let index = new.layout.index(of: relationship.name) else { continue }
          let targets = world.targets(id, relationship).compactMap { made[$0] }
          if !relationship.isToMany {
            if let target = targets.first { new.setDestination(through: index, to: target) }
          } else {
            for target in targets where !new.hasDestination(through: index, target) {
              new.insertDestination(through: index, target)
            }
          }
        }
      }
      for (id, new) in made {
        for relationship in world.shape.relationships(new.layout.name)
        where relationship.isOrdered {
          guard let index = new.layout.index(of: relationship.name) else { continue }
          new.arrange(
            through: index, in: world.targets(id, relationship).compactMap { made[$0]?.objectID })
        }
      }
    }
  }

  /// What the store has.
  func world() async throws -> World {
    let shape = shape
    return try await stack.save { local in
      var world = World(shape)
      var numbers: [ManagedObjectID: Int] = [:]
      var all: [ManagedObject] = []
      for entity in shape.entities where entity.superentity == nil {
        all += try local.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
      }
      for object in all { numbers[object.objectID] = numbers.count + 1 }
      for object in all {
        var made = World.Object(entity: object.layout.name)
        for attribute in shape.attributes(made.entity) {
          guard let index = object.layout.index(of: attribute.name),
            let storage = object.layout.properties[index].storageClass
          else { continue }
          var scalar = object.importedScalar(at: index, storage: storage)
          // However a column spells it.
          if attribute.type == .decimal, case .text(let text) = scalar {
            scalar = Decimal(string: text)?.scalar ?? scalar
          }
          if scalar != .null { made.values[attribute.name] = scalar }
        }
        for relationship in shape.relationships(made.entity) {
          guard let index = object.layout.index(of: relationship.name) else { continue }
          let ids =
            relationship.isToMany
            ? object.destinationIDs(index)
            : [object.destination(index)].compactMap { $0?.objectID }
          if !ids.isEmpty { made.links[relationship.name] = ids.map { numbers[$0] ?? 0 } }
        }
        world.adopt(made, as: numbers[object.objectID] ?? 0)
      }
      return world
    }
  }
}
