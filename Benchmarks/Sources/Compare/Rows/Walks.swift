import Cauldron
import Foundation
import SystemSQLite

/// Fetched objects, and what each of them leads to.
extension Contest {
  static func walks(_ settings: Settings) -> [Contest] {
    let count = settings.size(50_000)
    return [walk(count, firms: count), walk(count, firms: max(1, count / 50))]
  }

  private static func walk(_ count: Int, firms: Int) -> Contest {
    Contest(
      "walk \(grouped(count)) objects and the \(grouped(firms)) that they lead to",
      targets: [Target(.ratio(.raw), 1.3)],
      note: "a loop over fetched objects that asks for `firm?.name`; raw: a join"
    ) { _ in
      let url = try Scratch.file()
      try fill(url, count, firms)
      return [
        Lane(.ours) { try ourWalk(url, count) },
        Lane(.raw) { try rawWalk(url, count) },
      ]
    }
  }

  private static func open(_ url: URL) throws -> Stack {
    try OurStack.open(url, entities: [Worker._describeEntity(), Firm._describeEntity()])
  }

  private static func fill(_ url: URL, _ count: Int, _ firms: Int) throws {
    let stack = try open(url)
    let context = stack.child()
    try context.performAndWait { _ in
      let all = (0..<firms).map { number in
        let firm = Firm.create(in: context)
        firm.name = "firm \(number)"
        return firm
      }
      for number in 0..<count {
        let worker = Worker.create(in: context)
        worker.name = "worker \(number)"
        worker.age = number % 90
        worker.firm = all[number % firms]
      }
    }
    try context.saveAndWait(toPersistentStore: true)
    try stack.close()
  }

  /// In a stack that has read nothing yet.
  private static func ourWalk(_ url: URL, _ count: Int) throws -> Sample {
    let stack = try open(url)
    defer { try? stack.close() }
    let context = stack.child()
    return try context.performAndWait { local in
      try measure {
        let workers = try Worker.findAll(in: local)
        let sum = workers.reduce(0) { $0 &+ $1.age &+ ($1.firm?.name.utf8.count ?? 0) }
        try check(workers.count, count)
        consume(sum)
      }
    }
  }

  private static func rawWalk(_ url: URL, _ count: Int) throws -> Sample {
    let database = try RawDatabase(url)
    let statement = try database.prepare(
      """
      SELECT w.Z_PK, w.ZNAME, w.ZAGE, f.Z_PK, f.ZNAME FROM ZWORKER w \
      LEFT JOIN ZFIRM f ON f.Z_PK = w.ZFIRM
      """)
    return try measure {
      let row = statement.pointer
      var lines: [RawWorker] = []
      while sqlite3_step(row) == SQLITE_ROW {
        lines.append(
          RawWorker(
            key: sqlite3_column_int64(row, 0), name: RawItems.text(row, 1),
            age: Int(sqlite3_column_int64(row, 2)), firm: sqlite3_column_int64(row, 3),
            firmName: RawItems.text(row, 4)))
      }
      sqlite3_reset(row)
      try check(lines.count, count)
      consume(lines.reduce(0) { $0 &+ $1.age &+ $1.firmName.utf8.count })
    }
  }

  private static func check(_ found: Int, _ count: Int) throws {
    guard found == count else { throw RawFailure(code: 0, message: "\(found) of \(count) found") }
  }
}

private struct RawWorker {
  let key: Int64
  let name: String
  let age: Int
  let firm: Int64
  let firmName: String
}
