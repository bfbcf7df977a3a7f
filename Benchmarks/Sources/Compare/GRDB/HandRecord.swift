import GRDB

/// An item as a GRDB record with decoding and encoding written by hand, columns by position, which
/// is the fastest way that GRDB documents.
struct HandRecord: FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZITEM"

  static var databaseSelection: [any SQLSelectable] {
    [
      Column("Z_PK"), Column("ZNAME"), Column("ZCITY"), Column("ZEMAIL"), Column("ZTITLE"),
      Column("ZAGE"), Column("ZSCORE"), Column("ZCOUNT"), Column("ZHEIGHT"), Column("ZWEIGHT"),
      Column("ZFLAG"),
    ]
  }

  var values: ItemValues

  init(_ values: ItemValues) { self.values = values }

  init(row: Row) {
    values = ItemValues(
      key: row[0], name: row[1], city: row[2], email: row[3], title: row[4], age: row[5],
      score: row[6], count: row[7], height: row[8], weight: row[9], flag: row[10])
  }

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = values.key
    container["Z_ENT"] = 2
    container["Z_OPT"] = 1
    container["ZAGE"] = values.age
    container["ZCOUNT"] = values.count
    container["ZFLAG"] = values.flag
    container["ZSCORE"] = values.score
    container["ZHEIGHT"] = values.height
    container["ZWEIGHT"] = values.weight
    container["ZCITY"] = values.city
    container["ZEMAIL"] = values.email
    container["ZNAME"] = values.name
    container["ZTITLE"] = values.title
  }
}

extension ItemValues {
  /// The values in the order of the columns.
  var arguments: StatementArguments {
    [key, 2, 1, age, count, flag, score, height, weight, city, email, name, title]
  }
}
