package import CauldronModel
package import CauldronQuery
package import CauldronStore
import Testing

/// A store with rows of the people model, and short calls for what tests do with it.
package final class StoreHarness {
  package let model: ManagedObjectModel
  package let store: any PersistentStore
  package let factory: RowFactory
  private var lastID: UInt64 = 0

  package init(
    _ makeStore: StoreContract.Factory, _ model: ManagedObjectModel? = nil
  ) throws {
    let model = try model ?? TestModels.people()
    self.model = model
    store = try makeStore(model, 1)
    factory = RowFactory(model)
  }

  package func row(
    _ entity: String, _ key: Int64, _ values: [String: AttributeScalar] = [:]
  ) -> HeldRow {
    factory.row(entity, key, values)
  }

  /// A change set with the next number.
  package func changes(
    inserted: [HeldRow] = [], updated: [RowUpdate] = [], deleted: [RowPointer] = []
  ) -> ChangeSet {
    lastID += 1
    return ChangeSet(
      lastID, from: factory, inserted: inserted, updated: updated, deleted: deleted)
  }

  /// Saves change sets as the layers of one plan; answers the failure of each.
  @discardableResult
  package func save(_ sets: ChangeSet..., willCommit: () -> Void = {}) throws -> [CauldronError?] {
    try store.save(SavePlan(sets, storeNumber: 1), willCommit: willCommit).failures
  }

  /// Saves change sets that must not fail.
  package func mustSave(_ sets: ChangeSet...) throws {
    let receipt = try store.save(SavePlan(sets, storeNumber: 1), willCommit: {})
    for failure in receipt.failures { if let failure { throw failure } }
  }

  /// The error with which a single change set fails.
  package func failure(of set: ChangeSet) throws -> CauldronError {
    try #require(try save(set).first ?? nil)
  }

  /// A query for an entity.
  package func query(_ entity: String, where node: PredicateNode? = nil) throws -> StoreQuery {
    let layout = model.entity(entity)
    var query = StoreQuery(entity: layout)
    query.predicate = try node?.bound(to: layout)
    return query
  }

  /// The rows that a query selects, read in a view of their own.
  package func fetch(_ query: StoreQuery) throws -> RowSet {
    let reader = try store.reader()
    defer { reader.finish() }
    let list = try reader.fetch(query)
    #expect(try reader.ids(query, storeNumber: 7) == list.ids(7))
    return list
  }

  /// The keys of all rows of an entity, in key order.
  package func keys(of entity: String) throws -> [Int64] {
    let list = try fetch(query(entity))
    return list.map(\.key)
  }

  /// The row with a key, if there is one.
  package func stored(_ entity: String, _ key: Int64) throws -> HeldRow? {
    let reader = try store.reader()
    defer { reader.finish() }
    return try reader.rows([key], of: model.entity(entity)).map(\.held).first
  }

  /// A stored value.
  package func value(_ entity: String, _ key: Int64, _ name: String) throws -> AttributeScalar {
    let row = try #require(try stored(entity, key))
    return model.entity(entity).value(name, in: row.row)
  }

  /// The URI of an object, as messages spell it.
  package func uri(_ entity: String, _ key: Int64) -> String {
    "x-coredata://\(store.identifier)/\(entity)/p\(key)"
  }

  package func id(_ entity: String, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: model.entity(entity).number, storeNumber: 1)
  }
}
