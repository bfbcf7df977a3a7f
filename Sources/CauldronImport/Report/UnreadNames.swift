/// The names in records that no property is imported from, such as misspelt ones.
struct UnreadNames: Sendable {
  /// Of each name its entity and itself, in the order in which they were met: `Person.nmae`.
  private(set) var all: [String] = []
  /// How many records are looked at, and names kept: what is misspelt is so in the first ones.
  static let limit = 100

  /// Adds the names of an object that nothing is imported from.
  mutating func note(_ names: some Sequence<String>, of entity: String) {
    for name in names { add("\(entity).\(name)") }
  }

  /// Adds those of another part of the records.
  mutating func formUnion(_ other: UnreadNames) {
    for name in other.all { add(name) }
  }

  private mutating func add(_ name: String) {
    if all.count < Self.limit, !all.contains(name) { all.append(name) }
  }
}
