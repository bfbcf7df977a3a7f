import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

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
      defer { withExtendedLifetime(factory) {} }
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

  @Test func `a cached row keeps nothing of the memory that it came in`() throws {
    let key = keys.lowerBound
    /// A save of one row; what it wrote into goes with it.
    func save() -> BlockWatch {
      let factory = RowFactory(model)
      defer { withExtendedLifetime(factory) {} }
      let base = row(key, in: factory)
      let update = factory.update(base.row, ["age": .integer(7)])
      let changes = ChangeSet(1, from: factory, updated: [update], keeping: [base])
      for set in changes.entities { cache.apply(set) }
      return BlockWatch([base.row, update.row])
    }
    #expect(save().alive == [])
    cache.insert(row(key + 1, in: RowFactory(model)), root: root)
    let kept = try [key, key + 1].map { try #require(cache.row($0, root: root)) }
    #expect(kept[0].block === kept[1].block)
    #expect(model.entity("Person").value("age", in: kept[0].row) == .integer(7))
  }

  @Test func `a row that is used again lets those go that came with it`() throws {
    let cache = RowCache(model, capacity: 600)
    /// A save of many rows, which stay where they are.
    func save() -> BlockWatch {
      let factory = RowFactory(model)
      defer { withExtendedLifetime(factory) {} }
      let bases = (1...Int64(500)).map { row($0, in: factory) }
      let updates = bases.map { factory.update($0.row, ["age": .integer(7)]) }
      for set in ChangeSet(from: factory, updated: updates).entities { cache.apply(set) }
      return BlockWatch(updates.map(\.row))
    }
    let watch = save()
    let factory = RowFactory(model)
    for key in 1_001...Int64(1_100) { cache.insert(row(key, in: factory), root: root) }
    #expect(watch.alive.count == 500)
    #expect(cache.row(7, root: root) != nil)
    for key in 2_001...Int64(2_599) { cache.insert(row(key, in: factory), root: root) }
    #expect(watch.alive == [])
    let kept = try #require(cache.row(7, root: root))
    #expect(model.entity("Person").value("name", in: kept.row) == .text("jack 7"))
    #expect(cache.row(8, root: root) == nil)
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
