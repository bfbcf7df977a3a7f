import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("A disk without room for one page of the log")
struct FullLogTests {
  /// A small disk of its own; nil where none may be made.
  private final class Disk {
    /// `MNT_DETACH`: what is open still goes on.
    private static let lazily: Int32 = 2

    let directory: TemporaryDirectory
    var url: URL { directory.url }

    init?(kilobytes: Int) throws {
      directory = try TemporaryDirectory()
      guard mount("tmpfs", directory.url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
        return nil
      }
    }

    /// Leaves so many bytes free.
    func fill(leaving bytes: Int) throws {
      var status = statvfs()
      #expect(statvfs(url.path, &status) == 0)
      let free = Int(status.f_bavail) * Int(status.f_frsize)
      try Data(count: max(0, free - bytes)).write(to: url.appending(path: "filling"))
    }

    func empty() throws { try FileManager.default.removeItem(at: url.appending(path: "filling")) }

    deinit { umount2(directory.url.path, Self.lazily) }
  }

  private static let mayMount: Bool = (try? Disk(kilobytes: 64)) != nil

  @Test(
    "A save that finds it is told as a full disk, loses nothing, and goes through when there is room",
    .enabled(if: mayMount, "needs the right to mount a small disk"), arguments: [0, 4096, 8192])
  func full(free: Int) throws {
    let disk = try #require(try Disk(kilobytes: 4_000))
    let model = try ManagedObjectModel(entities: [
      EntityDescription(name: "Thing", properties: [TestModels.attribute("text", .string)])
    ])
    let url = disk.url.appending(path: "x.sqlite")
    let store = try SQLiteStore.open(url: url, model: model, storeNumber: 1)
    let factory = RowFactory(model)
    func save(_ keys: ClosedRange<Int64>) throws -> SaveReceipt {
      let text = String(repeating: "x", count: 900)
      let rows = keys.map { factory.row("Thing", $0, ["text": .text(text)]) }
      return try store.save(
        SavePlan([ChangeSet(from: factory, inserted: rows)], storeNumber: 1), willCommit: {})
    }
    _ = try save(1...2)
    try disk.fill(leaving: free)
    var next: Int64 = 3
    var error: CauldronError?
    // The first ones may lie where the log has room.
    for _ in 0..<40 where error == nil {
      do {
        _ = try save(next...(next + 40))
        next += 41
      } catch let failure as CauldronError { error = failure }
    }
    #expect(error?.code == .storeDiskFull, "\(error?.description ?? "none")")
    #expect(throws: CauldronError.self) { try save(next...(next + 40)) }
    let found = RawDatabase(url).value("SELECT count(*), max(Z_PK) FROM ZTHING")
    #expect(found == "\(next - 1)")
    try disk.empty()
    #expect(try save(next...(next + 40)).rowCount == 41)
    try store.close()
    #expect(RawDatabase(url).value("PRAGMA integrity_check") == "ok")
    #expect(RawDatabase(url).value("SELECT count(*) FROM ZTHING") == "\(next + 40)")
  }
}
