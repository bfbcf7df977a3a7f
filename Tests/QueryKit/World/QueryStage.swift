import Cauldron
import CauldronModel
import CauldronSQLite
import Dispatch
import Foundation
import Logging

/// Three contexts, one the parent of the next, on a store, and the same as dictionaries.
final class QueryStage {
  /// Where the rows are, and what readers take of a statement.
  enum Kind: Int, CaseIterable, Sendable {
    case memory, file, narrowFile
  }

  let schema: QuerySchema
  let stack: Stack
  /// The root, the middle and the leaf.
  let contexts: [ManagedObjectContext]
  /// What is committed, and what each context sees.
  private(set) var worlds: [QueryWorld]
  private let folder: URL
  /// Is told what is done.
  private let tell: (String) -> Void

  init(_ schema: QuerySchema, _ kind: Kind, _ tell: @escaping (String) -> Void) throws {
    self.schema = schema
    self.tell = tell
    folder = FileManager.default.temporaryDirectory.appending(path: "queries-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = StackConfiguration()
    configuration.mainQueue = DispatchQueue(label: "queries.main")
    configuration.synchronous = .normal
    configuration.logger = Logger(label: "queries") { _ in SwiftLogNoOpLogHandler() }
    if kind == .narrowFile {
      configuration.statementRoom = StatementRoom(parameters: 100, depth: 50)
    }
    stack = try Stack(
      storeURL: kind == .memory ? nil : folder.appending(path: "store.sqlite"),
      model: ManagedObjectModel(entities: schema.descriptions), configuration: configuration)
    let root = stack.rootSavingContext
    let middle = ManagedObjectContext(.private, parent: root, name: "Middle")
    contexts = [root, middle, ManagedObjectContext(.private, parent: middle, name: "Leaf")]
    worlds = Array(repeating: QueryWorld(schema), count: 4)
  }

  func close() throws {
    try stack.close()
    try? FileManager.default.removeItem(at: folder)
  }

  var leaf: ManagedObjectContext { contexts[2] }

  /// The layouts of the entities.
  var model: ManagedObjectModel { stack.model }

  /// Changes a few objects in a random context, and saves some contexts into their parents.
  func change(_ count: Int, _ random: inout KitRandom) throws {
    let level = random.once(in: 3) ? 1 + random.below(3) : 3
    // What lies below must have nothing of its own that the change could meet.
    for below in stride(from: 3, to: level, by: -1) { try save(below) }
    try contexts[level - 1].performAndWait { context in
      tell("level \(level)")
      var editor = QueryEditor(
        context: context, tell: tell, world: worlds[level], random: random)
      for _ in 0..<count { try editor.edit() }
      context.processPendingChanges()
      random = editor.random
      for seen in level...3 { worlds[seen] = editor.world }
    }
    for level in [3, 2, 1] where random.once(in: 4) { try save(level) }
  }

  /// Saves a context into its parent, or the root into the store.
  func save(_ level: Int) throws {
    tell("save \(level)")
    try contexts[level - 1].saveAndWait(toPersistentStore: false)
    worlds[level - 1] = worlds[level]
    if level == 1 { followKeys() }
  }

  /// An object that was made while the store was locked gets its key when it is saved.
  private func followKeys() {
    var names: [ManagedObjectID: ManagedObjectID] = [:]
    for id in worlds[0].objects.keys where id.key < 0 {
      leaf.performAndWait { names[id] = $0.object(with: id).objectID }
    }
    worlds = worlds.map { $0.renamed(names) }
  }
}

/// Edits objects in one context.
private struct QueryEditor {
  let context: LocalContext
  let tell: (String) -> Void
  var world: QueryWorld
  var random: KitRandom

  mutating func edit() throws {
    let ids = world.objects.keys.sorted { ($0.key, $0.entityNumber) < ($1.key, $1.entityNumber) }
    guard ids.count > 5, !random.once(in: 5) else { return try insert() }
    let id = random.pick(ids)
    if random.once(in: 8) {
      // A reference to a deleted object would stay.
      for (owner, property) in world.oneWayReferences(to: id) {
        tell("\(name(owner)).\(property.name) = []")
        try context.object(with: owner).setValue(nil, forKey: property.name)
        world.assign(property, of: owner, to: [])
      }
      tell("delete \(name(id))")
      context.delete(context.object(with: id))
      world.remove(id)
    } else {
      try turn(context.object(with: id), id, all: false)
    }
  }

  private func name(_ id: ManagedObjectID) -> String {
    "\(world.objects[id]?.entity ?? "?") \(id.key)"
  }

  private mutating func insert() throws {
    let entity = random.pick(world.schema.concrete)
    let object = try context.insertNewObject(forEntityName: entity)
    world.insert(QueryObject(id: object.objectID, entity: entity))
    tell("insert \(name(object.objectID))")
    try turn(object, object.objectID, all: true)
  }

  /// Sets all properties of an object, or one or two.
  private mutating func turn(
    _ object: ManagedObject, _ id: ManagedObjectID, all: Bool
  ) throws {
    guard let entity = world.objects[id]?.entity else { return }
    let properties = world.schema.properties[entity] ?? []
    for property in properties {
      guard random.once(in: all ? 1 : 6) else { continue }
      if let type = property.type {
        let value = QueryValues.value(type, &random)
        try object.setValue(QueryValues.any(value, type), forKey: property.name)
        world.set(property.name, of: id, to: value)
      } else if random.once(in: 2) {
        try link(object, id, property)
      }
    }
  }

  private mutating func link(
    _ object: ManagedObject, _ id: ManagedObjectID, _ property: QuerySchema.Property
  ) throws {
    let others = world.all(property.destination ?? "").map(\.id)
    let most = property.isToOne ? 1 : 4
    let chosen = Array(others.shuffled(using: &random).prefix(random.below(most + 1)))
    tell("\(name(id)).\(property.name) = \(chosen.map(name))")
    let objects = chosen.map { context.object(with: $0) }
    try object.setValue(property.isToOne ? objects.first : objects, forKey: property.name)
    world.assign(property, of: id, to: chosen)
  }
}
