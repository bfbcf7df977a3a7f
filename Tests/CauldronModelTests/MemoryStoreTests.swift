import CauldronModel
import TestSupport
import Testing

@Suite("MemoryStore")
struct MemoryStoreTests {
  @Test("Keeps the contract of all stores", arguments: StoreContract.promises)
  func contract(promise: StoreContract.Promise) throws {
    try promise.check { MemoryStore(model: $0, storeNumber: $1) }
  }

  @Test("Keeps written rows where they are, uncopied")
  func uncopied() throws {
    let harness = try StoreHarness { MemoryStore(model: $0, storeNumber: $1) }
    let row = harness.row("Person", 1)
    try harness.mustSave(harness.changes(inserted: [row]))
    #expect(try harness.stored("Person", 1)?.row == row.row)
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
