import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

/// A store in a directory of its own, with short calls for what tests do with it.
final class StoreBench {
  let directory: TemporaryDirectory
  let url: URL
  let model: ManagedObjectModel
  let factory: RowFactory
  private(set) var store: SQLiteStore
  private var lastID: UInt64 = 0

  init(
    _ model: ManagedObjectModel, _ options: SQLiteStoreOptions = SQLiteStoreOptions(),
    copying fixture: URL? = nil
  ) throws {
    directory = try TemporaryDirectory()
    url = directory.file("x.sqlite")
    if let fixture { try FileManager.default.copyItem(at: fixture, to: url) }
    self.model = model
    factory = RowFactory(model)
    store = try SQLiteStore.open(url: url, model: model, storeNumber: 1, options: options)
  }

  /// A store of one entity with the given attributes.
  convenience init(
    entity: String = "Thing", _ attributes: [(String, AttributeType)],
    _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws {
    let properties = attributes.map { TestModels.attribute($0.0, $0.1) }
    try self.init(
      try ManagedObjectModel(
        entities: [EntityDescription(name: entity, properties: properties)]), options)
  }

  func reopen(_ options: SQLiteStoreOptions = SQLiteStoreOptions()) throws {
    try store.close()
    store = try SQLiteStore.open(url: url, model: model, storeNumber: 1, options: options)
  }

  func changes(
    inserted: [HeldRow] = [], updated: [RowUpdate] = [], deleted: [RowPointer] = [],
    keeping others: [HeldRow] = []
  ) -> ChangeSet {
    lastID += 1
    return ChangeSet(
      lastID, from: factory, inserted: inserted, updated: updated, deleted: deleted,
      keeping: others)
  }

  @discardableResult
  func save(_ sets: ChangeSet..., willCommit: () -> Void = {}) throws -> SaveReceipt {
    try store.save(SavePlan(sets, storeNumber: 1), willCommit: willCommit)
  }

  /// Saves rows that must not fail.
  func insert(_ rows: [HeldRow]) throws {
    for failure in try save(changes(inserted: rows)).failures {
      if let failure { throw failure }
    }
  }

  func insert(_ entity: String, _ key: Int64, _ values: [String: AttributeScalar]) throws {
    try insert([factory.row(entity, key, values)])
  }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    let reader = try store.reader()
    defer { reader.finish() }
    return try reader.fetch(query)
  }

  func fetch(_ entity: String, where node: PredicateNode? = nil) throws -> RowSet {
    let layout = model.entity(entity)
    var query = StoreQuery(entity: layout)
    query.predicate = try node?.bound(to: layout)
    return try fetch(query)
  }

  func row(_ entity: String, _ key: Int64) throws -> HeldRow {
    let reader = try store.reader()
    defer { reader.finish() }
    return try #require(try reader.rows([key], of: model.entity(entity)).map(\.held).first)
  }

  func values(_ entity: String, _ key: Int64) throws -> [String: AttributeScalar] {
    let held = try row(entity, key)
    return model.entity(entity).values(of: held.row)
  }

  /// Whether nothing lies beside the file.
  var isAlone: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    return names == ["x.sqlite"]
  }
}

/// The error that a call throws.
func failure(_ body: () throws -> Void) throws -> CauldronError {
  do {
    try body()
  } catch let error as CauldronError {
    return error
  }
  throw NothingThrown()
}

struct NothingThrown: Error {}
