import Foundation
import GRDB

/// GRDB with the same file format, pragmas and data.
enum Records {
  static func open(_ url: URL, cache: Int = 32_768) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    // After opening, because GRDB chooses NORMAL for a database in WAL mode.
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try database.execute(sql: "PRAGMA cache_size = -\(cache)")
    }
    return queue
  }

  static func execute(_ sql: String, _ queue: DatabaseQueue) throws {
    try queue.write { try $0.execute(sql: sql) }
  }

  static func insert(_ items: [ItemValues], _ queue: DatabaseQueue) throws {
    try queue.write { database in
      for item in items { try HandRecord(item).insert(database) }
    }
  }

  /// The statement prepared once and fed with its arguments, instead of a record that encodes itself.
  static func insertCached(_ items: [ItemValues], _ queue: DatabaseQueue) throws {
    try queue.write { database in
      let statement = try database.cachedStatement(sql: RawItems.insertion)
      for item in items { try statement.execute(arguments: item.arguments) }
    }
  }

  static func insertCodable(_ items: [ItemValues], _ queue: DatabaseQueue) throws {
    try queue.write { database in
      for item in items { try CodableRecord(item).insert(database) }
    }
  }

  static func digestAll(_ queue: DatabaseQueue) throws -> Int {
    try queue.read { database in
      try HandRecord.fetchAll(database).reduce(0) { $0 &+ $1.values.digest }
    }
  }

  static func digestAllCodable(_ queue: DatabaseQueue) throws -> Int {
    try queue.read { database in
      try CodableRecord.fetchAll(database).reduce(0) { $0 &+ $1.digest }
    }
  }

  static func digestTwo(_ queue: DatabaseQueue) throws -> Int {
    try queue.read { database in
      try HandRecord.fetchAll(database)
        .reduce(0) { $0 &+ $1.values.name.utf8.count &+ $1.values.age }
    }
  }

  static func digest(_ keys: [Int64], _ queue: DatabaseQueue) throws -> Int {
    try queue.read { database in
      var sum = 0
      for key in keys { sum &+= try HandRecord.fetchOne(database, key: key)?.values.digest ?? 0 }
      return sum
    }
  }

  static func digestCached(_ keys: [Int64], _ queue: DatabaseQueue) throws -> Int {
    try queue.read { database in
      let statement = try database.cachedStatement(sql: RawItems.pointSelection)
      var sum = 0
      for key in keys {
        sum &+= try HandRecord.fetchOne(statement, arguments: [key])?.values.digest ?? 0
      }
      return sum
    }
  }

  static func keys(_ queue: DatabaseQueue) throws -> [Int64] {
    try queue.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZITEM") }
  }
}
