import CSQLite
import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("A save whose statements are interrupted")
struct InterruptedTests {
  @Test("No step that was cut short makes the next save accept a missing target")
  func references() throws {
    let directory = try TemporaryDirectory()
    let model = try TestModels.people()
    let file = StoreFile(directory.file("x.sqlite"))
    let opened = try StoreOpener(file: file, model: model, options: SQLiteStoreOptions()).open()
    let facts = StoreFacts(
      file: file, identifier: opened.metadata.identifier, storeNumber: 1,
      options: SQLiteStoreOptions(), schema: opened.schema, plans: PackPlans(opened.schema))
    let writer = Writer(facts, opened.writer)
    let factory = RowFactory(model)
    func save(_ rows: HeldRow...) throws -> SaveReceipt {
      try writer.save(
        SavePlan([ChangeSet(from: factory, inserted: rows)], storeNumber: 1), willCommit: { _ in },
        didCommit: { _ in })
    }
    #expect(try save(factory.row("Company", 1)).failures.allSatisfy { $0 == nil })
    var wasInterrupted = true
    var operations: Int32 = 1
    while wasInterrupted, operations < 500 {
      let hired = factory.row("Person", Int64(operations), ["employer": .integer(1)])
      // Once, after so many operations of SQLite's machine.
      sqlite3_progress_handler(opened.writer.handle, operations, { _ in 1 }, nil)
      wasInterrupted = (try? save(hired)) == nil
      sqlite3_progress_handler(opened.writer.handle, 0, nil, nil)
      let lost = factory.row("Person", 1_000, ["employer": .integer(99)])
      let failures = try save(lost).failures
      #expect(failures.map(\.?.code) == [.storeDanglingReference], "after \(operations)")
      operations += 1
    }
    #expect(operations > 10)
    #expect(!wasInterrupted)
  }
}
