import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("The length of the log")
struct LogSpaceTests {
  private let frame = 4_096 + 24

  @Test("Small saves find room in the log, and do not make it longer one by one")
  func room() throws {
    let bench = try StoreBench([("a", .string)])
    var lengths: Set<Int> = []
    for key in 1...20 {
      try bench.insert("Thing", Int64(key), ["a": .text("\(key)")])
      if key > 3 { lengths.insert(try bench.logLength) }
    }
    #expect(lengths.count <= 2)
    #expect(try bench.logLength > 32 + bench.frames * frame)
    #expect(try bench.fetch("Thing").count == 20)
  }

  @Test("What a crash leaves is read as if there were no room")
  func crash() throws {
    let bench = try StoreBench([("a", .string)])
    for key in 1...10 { try bench.insert("Thing", Int64(key), ["a": .text("\(key)")]) }
    let copy = bench.directory.file("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: bench.url.path + suffix, toPath: copy.path + suffix)
    }
    let store = try SQLiteStore.open(url: copy, model: bench.model, storeNumber: 2)
    let raw = RawDatabase(copy)
    #expect(raw.value("SELECT group_concat(ZA) FROM ZTHING") == "1,2,3,4,5,6,7,8,9,10")
    #expect(raw.value("PRAGMA integrity_check") == "ok")
    try store.close()
  }

  @Test("Another writer's frames are neither overwritten nor left out")
  func otherWriter() throws {
    let bench = try StoreBench([("a", .string)])
    let raw = RawDatabase(bench.url)
    raw.run("PRAGMA wal_autocheckpoint = 0")
    for key in 1...60 {
      try bench.insert("Thing", Int64(key), ["a": .text("ours")])
      for other in 0..<(key % 4) {
        raw.run("INSERT INTO ZTHING VALUES (\(1_000 + key * 10 + other), 1, 1, 'theirs')")
      }
      if key == 40 { raw.run("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
    let counts = raw.rows("SELECT ZA, count(*) FROM ZTHING GROUP BY ZA")
    #expect(counts == [["ours", "60"], ["theirs", "90"]])
    #expect(raw.value("PRAGMA integrity_check") == "ok")
  }

  @Test("A large save makes no room")
  func largeSave() throws {
    let bench = try StoreBench([("a", .string)])
    for start: Int64 in [0, 10_000, 20_000] {
      try bench.insert((1...5_000).map { bench.factory.row("Thing", start + $0) })
    }
    #expect(try bench.logLength == 32 + bench.frames * frame)
  }

  @Test("A commit that makes the log too long brings it into the file")
  func checkpoint() throws {
    let bench = try StoreBench([("a", .string)])
    let text = String(repeating: "x", count: 2_500)
    for start: Int64 in [0, 1_500] {
      let keys = start + 1...start + 1_500
      try bench.insert(keys.map { bench.factory.row("Thing", $0, ["a": .text(text)]) })
    }
    let before = try bench.logLength
    #expect(before > 1_000 * frame)
    for key: Int64 in 4_000...4_010 { try bench.insert("Thing", key, [:]) }
    #expect(try bench.logLength == before)
    #expect(bench.frames < 100)
  }
}

extension StoreBench {
  /// The length of the log's file in bytes.
  fileprivate var logLength: Int {
    get throws {
      try url.deletingLastPathComponent().appending(path: "x.sqlite-wal")
        .resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }
  }

  /// How many frames are in the log.
  fileprivate var frames: Int {
    Int(RawDatabase(url).rows("PRAGMA wal_checkpoint(PASSIVE)").first?[1] ?? "") ?? 0
  }
}
