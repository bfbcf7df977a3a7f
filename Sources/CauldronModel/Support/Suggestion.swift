/// Finds what somebody probably meant.
package enum Suggestion {
  /// `Did you mean "name"?`, or nothing where no candidate is near.
  package static func hint(for word: String, among candidates: [String]) -> String {
    let best = candidates.map { ($0, distance(word.lowercased(), $0.lowercased())) }
      .min { $0.1 < $1.1 }
    guard let best, best.1 <= max(2, word.count / 3) else { return "" }
    return "Did you mean \"\(best.0)\"?"
  }

  /// The number of letters to insert, delete or replace.
  private static func distance(_ a: String, _ b: String) -> Int {
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
