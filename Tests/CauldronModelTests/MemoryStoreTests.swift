import CauldronModel
import CauldronStore
import TestSupport
import Testing

@Suite("MemoryStore")
struct MemoryStoreTests {
  @Test("Keeps the contract of all stores", arguments: StoreContract.promises)
  func contract(promise: StoreContract.Promise) throws {
    try promise.check { MemoryStore(model: $0, storeNumber: $1) }
  }

  @Test("Keeps rows where they are if they fill the memory that they came in")
  func uncopied() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    let rows = (1...500).map { harness.row("Person", $0) }
    try harness.mustSave(harness.changes(inserted: rows))
    #expect(try harness.stored("Person", 1)?.row == rows[0].row)
  }

  @Test("Copies rows next to one another that came in memory of their own")
  func copied() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    for key in 1...Int64(500) {
      let others = RowFactory(harness.factory.model)
      let row = others.row("Person", key, ["name": .text("jack \(key)")])
      try harness.mustSave(ChangeSet(UInt64(key), from: others, inserted: [row]))
    }
    let rows = try (1...Int64(500)).map { try #require(try harness.stored("Person", $0)) }
    #expect(Set(rows.map { ObjectIdentifier($0.block) }).count < 5)
    #expect(
      rows.allSatisfy { row in
        harness.factory.layout(of: row.row).value("name", in: row.row)
          == .text("jack \(row.row.key)")
      })
  }

  @Test("A row keeps nothing of the memory that it came in")
  func light() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    /// A save of one row; what it wrote into goes with it.
    func save() throws -> BlockWatch {
      let others = RowFactory(harness.factory.model)
      defer { withExtendedLifetime(others) {} }
      let row = others.row("Person", 1, ["name": .text("jack")])
      try harness.mustSave(ChangeSet(1, from: others, inserted: [row]))
      return BlockWatch([row.row])
    }
    #expect(try save().alive == [])
    #expect(try harness.value("Person", 1, "name") == .text("jack"))
  }

  @Test("Copies all rows where changes have left much memory between them")
  func tidied() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    for key in 1...Int64(40) {
      // Between the rows that stay, one changes as often as fills a block.
      try harness.mustSave(harness.changes(inserted: [harness.row("Person", key)]))
      for _ in 0..<400 {
        let hot = try harness.stored("Company", 1) ?? harness.row("Company", 1)
        let update = harness.factory.update(hot.row, ["rating": .real(Double(key))])
        let isNew = try harness.stored("Company", 1) == nil
        try harness.mustSave(
          isNew ? harness.changes(inserted: [hot]) : harness.changes(updated: [update]))
      }
    }
    let rows = try (1...Int64(40)).map { try #require(try harness.stored("Person", $0)) }
    #expect(Set(rows.map { ObjectIdentifier($0.block) }).count < 20)
  }

  @Test("An error of a dependent layer names the cause and the shared objects")
  func dependent() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    let person = harness.row("Person", 1, ["employer": .integer(12)])
    let update = harness.factory.update(person.row, ["age": .integer(3)])
    let failures = try harness.save(
      harness.changes(inserted: [person]), harness.changes(updated: [update]))
    let cause = try #require(failures[0])
    let error = try #require(failures[1])
    #expect(error.code == cause.code)
    #expect(error.message.hasSuffix(cause.message))
    #expect(error.objectIDs == [harness.id("Person", 1)])
  }

  @Test("Refuses to insert a row that exists")
  func twice() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    try harness.mustSave(harness.changes(inserted: [harness.row("Person", 1)]))
    let error = try harness.failure(of: harness.changes(inserted: [harness.row("Manager", 1)]))
    #expect(error.code == .saveConflict)
    #expect(error.objectIDs == [harness.id("Manager", 1)])
  }
}
