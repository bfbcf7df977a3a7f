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
