import Cauldron
import Foundation
import Logging

/// The library under test, with its default stack: a root context on the store, the main context
/// below it. Nothing is logged.
enum OurStack {
  static func open(
    _ url: URL, isScoreUnique: Bool = false, entities: [EntityDescription] = [],
    item: EntityDescription? = nil
  ) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "compare") { _ in SwiftLogNoOpLogHandler() }
    configuration.logger.logLevel = .critical
    return try Stack(
      storeURL: url, model: model(item, isScoreUnique: isScoreUnique, entities),
      configuration: configuration)
  }

  /// An index is what a uniqueness constraint makes.
  static func model(
    _ item: EntityDescription?, isScoreUnique: Bool = false, _ others: [EntityDescription] = []
  ) throws -> ManagedObjectModel {
    var item = item ?? Item._describeEntity()
    if isScoreUnique { item.uniquenessConstraints = [["score"]] }
    return try ManagedObjectModel(
      entities: [item, Box._describeEntity(), Part._describeEntity()] + others)
  }

  /// Makes a store with items and leaves it closed.
  static func fill(_ url: URL, _ count: Int, isScoreUnique: Bool = false) throws {
    let stack = try open(url, isScoreUnique: isScoreUnique)
    defer { try? stack.close() }
    for start in stride(from: 0, to: count, by: 100_000) {
      let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
      Item.create(ItemValues.make(min(100_000, count - start), from: start), in: context)
      try context.saveAndWait(toPersistentStore: true)
    }
  }
}

extension Stack {
  /// A private context below the main one.
  func child() -> ManagedObjectContext { ManagedObjectContext(.private, parent: defaultContext) }
}
