/// Finds what somebody probably meant.
package enum Suggestion {
  /// So many bytes a name has at most that a person has mistyped.
  private static let longest = 100

  /// `Did you mean "name"?`, or nothing where no candidate is near.
  package static func hint(for word: String, among candidates: [String]) -> String {
    guard word.utf8.count <= longest else { return "" }
    let best = candidates.filter { $0.utf8.count <= longest }.map {
      ($0, distance(from: word.lowercased(), to: $0.lowercased()))
    }
    .min { $0.1 < $1.1 }
    guard let best, best.1 <= max(2, word.count / 3) else { return "" }
    return "Did you mean \"\(best.0)\"?"
  }

  /// The number of letters to insert, delete or replace.
  private static func distance(from a: String, to b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var previous = row[0]
      row[0] = i + 1
      for j in b.indices {
        let cost = letter == b[j] ? previous : min(previous, row[j], row[j + 1]) + 1
        previous = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[b.count]
  }
}

/// The order in which Core Data numbers entities: without regard to case, and equal names by their bytes.
package enum CaselessOrder {
  package static func precedes(_ a: String, _ b: String) -> Bool {
    let (x, y) = (a.lowercased(), b.lowercased())
    if x != y { return x.utf16.lexicographicallyPrecedes(y.utf16) }
    return a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// Names in that order.
  package static func sorted(_ names: some Sequence<String>) -> [String] {
    names.map { (name: $0, key: $0.lowercased()) }.sorted { a, b in
      a.key == b.key
        ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
        : a.key.utf16.lexicographicallyPrecedes(b.key.utf16)
    }.map(\.name)
  }
}
