import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport

/// A store whose file other programs may have changed, with dynamic objects.
struct NumberedFile {
  let directory: TemporaryDirectory
  let url: URL

  init() throws {
    directory = try TemporaryDirectory()
    url = directory.file("x.sqlite")
  }

  /// Opens the store, runs the body in a context, saves to the file, looks for findings, and closes.
  @discardableResult
  func open<Result>(
    _ model: ManagedObjectModel, migration: MigrationPolicy? = nil,
    _ body: (LocalContext) throws -> Result
  ) throws -> Result {
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .critical
    if let migration { configuration.migration = migration }
    let stack = try Stack(storeURL: url, model: model, configuration: configuration)
    let context = stack.newBackgroundContext()
    let result = try context.performAndWait { try body($0) }
    try context.saveAndWait(toPersistentStore: true)
    let findings = try stack.coordinator.store.verify()
    if let first = findings.first { throw Found(finding: first.message) }
    try stack.close()
    return result
  }

  struct Found: Error {
    let finding: String
  }
}

extension LocalContext {
  /// The objects of an entity by their names.
  func named(_ entity: String) throws -> [String: ManagedObject] {
    let all = try fetch(FetchRequest<ManagedObject>(entityName: entity))
    return Dictionary(
      uniqueKeysWithValues: all.map { ($0.value(forKey: "name") as? String ?? "", $0) })
  }

  /// A new object with a name.
  @discardableResult
  func make(_ entity: String, _ name: String) throws -> ManagedObject {
    let object = try insertNewObject(forEntityName: entity)
    try object.setValue(name, forKey: "name")
    return object
  }
}

extension ManagedObject {
  /// The names of the objects that a relationship leads to, in its order or else sorted.
  func linkedNames(_ relationship: String, isOrdered: Bool = false) -> [String] {
    let value = value(forKey: relationship)
    let objects = (value as? ManagedObject).map { [$0] } ?? value as? [ManagedObject] ?? []
    let names = objects.map { $0.value(forKey: "name") as? String ?? "" }
    return isOrdered ? names : names.sorted()
  }
}
