import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("A store whose file goes away while it is open")
struct GoneFileTests {
  enum Accident: CaseIterable, Sendable { case deleted, moved, replaced }

  private static func happen(_ accident: Accident, _ bench: StoreBench) throws {
    let manager = FileManager.default
    switch accident {
    case .deleted: try manager.removeItem(at: bench.url)
    case .moved: try manager.moveItem(at: bench.url, to: bench.directory.file("moved.sqlite"))
    case .replaced:
      let other = bench.directory.file("other.sqlite")
      try SQLiteStore.open(url: other, model: bench.model, storeNumber: 2).close()
      #expect(rename(other.path, bench.url.path) == 0)
    }
  }

  @Test("Saves and reservations are refused instead of lost", arguments: Accident.allCases)
  func gone(accident: Accident) throws {
    let bench = try StoreBench([("a", .integer64)])
    try bench.insert("Thing", 1, [:])
    try Self.happen(accident, bench)
    let thing = bench.model.entity("Thing")
    let set = bench.changes(inserted: [bench.factory.row("Thing", 2)])
    let calls: [() throws -> Void] = [
      { try bench.save(set, willCommit: { Issue.record("nothing is committed") }) },
      { _ = try bench.store.reserveKeys(1, for: thing) },
    ]
    for call in calls + calls {
      let error = try failure(call)
      #expect(error.code == .storeFileGone)
      #expect(
        error.description == "Cannot use store \"\(bench.url.path)\": "
          + (accident == .replaced
            ? "another file is in the place of the one that was opened."
            : "the file was deleted or moved after it was opened.")
          + " Put it back, or call Stack.cleanUp() and set the stack up again.")
      #expect(error.path == bench.url.path)
    }
    try bench.store.close()
    if accident == .replaced {
      #expect(RawDatabase(bench.url).value("PRAGMA integrity_check") == "ok")
      #expect(RawDatabase(bench.url).value("SELECT count(*) FROM ZTHING") == "0")
    }
  }

  @Test("Readers that are opened later do not read another file")
  func readers() throws {
    let bench = try StoreBench([("a", .integer64)], SQLiteStoreOptions(readerLimit: 0))
    try bench.insert("Thing", 1, [:])
    try Self.happen(.replaced, bench)
    #expect(try failure { _ = try bench.fetch("Thing") }.code == .storeFileGone)
  }

  @Test("A file that is put back can be saved to again")
  func back() throws {
    let bench = try StoreBench([("a", .integer64)])
    try Self.happen(.moved, bench)
    let set = bench.changes(inserted: [bench.factory.row("Thing", 2)])
    #expect(try failure { try bench.save(set) }.code == .storeFileGone)
    try FileManager.default.moveItem(
      at: bench.directory.file("moved.sqlite"), to: bench.url)
    #expect(try bench.save(set).rowCount == 1)
  }
}
