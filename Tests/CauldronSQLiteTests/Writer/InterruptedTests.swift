import CSQLite
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("A save whose statements are interrupted")
struct InterruptedTests {
  @Test("A check that was cut short does not make the next save accept a missing target")
  func references() throws {
    let directory = try TemporaryDirectory()
    let model = try TestModels.people()
    let file = StoreFile(directory.file("x.sqlite"))
    let opened = try StoreOpener(file: file, model: model, options: SQLiteStoreOptions()).open()
    let facts = StoreFacts(
      file: file, identifier: opened.metadata.identifier, storeNumber: 1,
      options: SQLiteStoreOptions(), schema: opened.schema, plans: PackPlans(opened.schema),
      schemaVersion: opened.schemaVersion)
    let writer = Writer(facts, opened.writer, ReservedKeys())
    let factory = RowFactory(model)
    func save(_ rows: HeldRow...) throws -> SaveReceipt {
      try SaveWriter(writer).save(
        SavePlan([ChangeSet(from: factory, inserted: rows)], storeNumber: 1), willCommit: { _ in },
        didCommit: { _ in })
    }
    #expect(try save(factory.row("Company", 1)).failures.allSatisfy { $0 == nil })
    let handle = opened.writer.handle
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, _, statement, _ in
        let statement = statement.map { OpaquePointer($0) }
        guard let text = sqlite3_sql(statement) else { return 0 }
        if String(cString: text).hasPrefix("SELECT 1 FROM ZCOMPANY") {
          sqlite3_interrupt(sqlite3_db_handle(statement))
        }
        return 0
      }, nil)
    let error = try failure {
      _ = try save(factory.row("Person", 1, ["employer": .integer(1)]))
    }
    #expect(error.sqliteCode == SQLITE_INTERRUPT)
    sqlite3_trace_v2(handle, 0, nil, nil)
    let lost = factory.row("Person", 2, ["employer": .integer(99)])
    #expect(try save(lost).failures.map(\.?.code) == [.storeDanglingReference])
    #expect(try save(factory.row("Person", 3, ["employer": .integer(1)])).rowCount == 1)
  }
}
