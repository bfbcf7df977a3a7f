import GRDB

/// A part of a box, by GRDB.
struct PartRecord: FetchableRecord, TableRecord {
  static let databaseTableName = "ZPART"

  static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZNUMBER")] }

  let key: Int64
  let number: Int

  init(row: Row) {
    key = row[0]
    number = row[1]
  }

  static func sum(ofBox box: Int64, _ queue: DatabaseQueue) throws -> Int {
    try queue.read { database in
      try PartRecord.filter(Column("ZBOX") == box).fetchAll(database).reduce(0) { $0 &+ $1.number }
    }
  }
}
