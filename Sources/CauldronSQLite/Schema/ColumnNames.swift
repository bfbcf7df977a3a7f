import CauldronModel

/// The names of a table's columns in a file, by which planned columns are found.
struct ColumnNames {
  /// The names as the file has them.
  private let list: [String]
  /// Their places by their capitals: SQLite tells no others apart.
  private var places: [String: Int] = [:]
  /// The first column that may be the entity number beside each reference, by what follows the number.
  private var entityKeys: [Substring: Int] = [:]

  init(_ list: [String]) {
    self.list = list
    for (place, name) in list.enumerated() {
      let name = name.withOrderedMarks
      if places[name.uppercased()] == nil { places[name.uppercased()] = place }
      if let tail = Self.tail(ofEntityKey: name), entityKeys[tail] == nil {
        entityKeys[tail] = place
      }
    }
  }

  /// Whether the file has no such table.
  var isEmpty: Bool { list.isEmpty }

  /// The name of a planned column in the file; nil where the file has none.
  func name(of column: ColumnSchema) -> String? { place(of: column).map { list[$0] } }

  /// The place of a planned column among the names; nil where the file has none.
  func place(of column: ColumnSchema) -> Int? {
    for candidate in [column.name] + column.alternatives {
      if let place = places[candidate.uppercased()] { return place }
    }
    // The number may be another than the planned one.
    guard column.role == .entityKey, let start = column.name.firstIndex(of: "_") else {
      return nil
    }
    return entityKeys[column.name[start...]]
  }

  /// What follows the number in `Z<n>_<REL>`; nil for other names.
  private static func tail(ofEntityKey name: String) -> Substring? {
    guard name.hasPrefix("Z") else { return nil }
    let tail = name.dropFirst().drop { $0.isNumber }
    return tail.first == "_" && tail.startIndex > name.index(after: name.startIndex) ? tail : nil
  }
}
