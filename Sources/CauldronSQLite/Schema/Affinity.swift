/// How SQLite converts the values of a column, by its declared type
/// (https://www.sqlite.org/datatype3.html#determination_of_column_affinity).
enum Affinity {
  case integer
  case text
  case blob
  case real
  case numeric

  /// - Parameter type: In capitals.
  init(_ type: String) {
    if type.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.contains("BLOB") || type.isEmpty {
      self = .blob
    } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether a column of this kind keeps other values than it is given, where one of another kind is planned.
  func changes(_ planned: Affinity) -> Bool {
    switch planned {
    case .text: [.integer, .real, .numeric].contains(self)
    case .integer, .numeric: self == .text || self == .real
    case .real: self == .text
    // Nothing is done to bytes.
    case .blob: false
    }
  }
}
