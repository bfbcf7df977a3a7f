import GRDB

extension Records {
  /// The records with these keys, for changes that need them.
  static func records(_ keys: Range<Int64>, _ queue: DatabaseQueue) throws -> [HandRecord] {
    try queue.read { database in
      try HandRecord.filter(keys.contains(Column("Z_PK"))).fetchAll(database)
    }
  }

  static func setAge(_ age: Int, _ records: [HandRecord], _ queue: DatabaseQueue) throws {
    try queue.write { database in
      for var record in records {
        record.values.age = age
        try record.update(database, columns: ["ZAGE"])
      }
    }
  }

  static func delete(_ records: [HandRecord], _ queue: DatabaseQueue) throws {
    try queue.write { database in
      for record in records { _ = try record.delete(database) }
    }
  }
}
