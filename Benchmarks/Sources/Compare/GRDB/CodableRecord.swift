import GRDB

/// An item as a GRDB record whose decoding and encoding the compiler writes.
struct CodableRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZITEM"

  enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case name = "ZNAME"
    case city = "ZCITY"
    case email = "ZEMAIL"
    case title = "ZTITLE"
    case age = "ZAGE"
    case score = "ZSCORE"
    case count = "ZCOUNT"
    case height = "ZHEIGHT"
    case weight = "ZWEIGHT"
    case flag = "ZFLAG"
  }

  var key: Int64
  var entity = 2
  var version = 1
  var name: String
  var city: String
  var email: String
  var title: String
  var age: Int
  var score: Int
  var count: Int
  var height: Double
  var weight: Double
  var flag: Bool
}

extension CodableRecord {
  init(_ values: ItemValues) {
    self.init(
      key: values.key, name: values.name, city: values.city, email: values.email,
      title: values.title, age: values.age, score: values.score, count: values.count,
      height: values.height, weight: values.weight, flag: values.flag)
  }

  /// Something that depends on every value.
  var digest: Int {
    name.utf8.count &+ city.utf8.count &+ email.utf8.count &+ title.utf8.count &+ age &+ score
      &+ count &+ Int(height) &+ Int(weight) &+ (flag ? 1 : 0)
  }
}
