import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph

/// Each save writes rows into memory of its own, 64 KiB at a time: a cache that kept a row of each
/// where it lies would keep all of that.
@Suite struct RowCacheTests {
  private let model: ManagedObjectModel
  private let cache: RowCache
  private let root: Int32
  private let keys = 1...Int64(2_000)

  init() throws {
    model = try TestModels.people()
    cache = RowCache(model)
    root = model.entity("Person").rootNumber
  }

  /// Checks that the rows are there, and how many blocks they keep.
  private func expectShared(_ age: AttributeScalar) throws {
    let rows = try keys.map { try #require(cache.row($0, root: root)) }
    #expect(Set(rows.map { ObjectIdentifier($0.block) }).count < 20)
    let layout = model.entity("Person")
    for row in rows {
      #expect(layout.value("age", in: row.row) == age)
      #expect(layout.value("name", in: row.row) == .text("jack \(row.row.key)"))
    }
  }

  /// A row in memory of its own.
  private func row(_ key: Int64, in factory: RowFactory) -> HeldRow {
    factory.row("Person", key, ["name": .text("jack \(key)")])
  }

  @Test func `rows that one-row saves have changed share their memory`() throws {
    for key in keys {
      let factory = RowFactory(model)
      let base = row(key, in: factory)
      let update = factory.update(base.row, ["age": .integer(7)])
      let changes = ChangeSet(UInt64(key), from: factory, updated: [update], keeping: [base])
      for set in changes.entities { cache.apply(set) }
    }
    try expectShared(.integer(7))
  }

  @Test func `rows that were read one by one share their memory`() throws {
    for key in keys {
      let factory = RowFactory(model)
      cache.insert(row(key, in: factory), root: root)
    }
    try expectShared(.null)
  }

  @Test func `rows whose blocks are full of them stay where they are`() throws {
    let factory = RowFactory(model)
    let updates = (1...Int64(500)).map { key in
      factory.update(row(key, in: factory).row, ["age": .integer(7)])
    }
    let changes = ChangeSet(from: factory, updated: updates)
    for set in changes.entities { cache.apply(set) }
    for update in updates {
      #expect(cache.row(update.row.key, root: root)?.row == update.row)
    }
    withExtendedLifetime(changes) {}
  }
}
