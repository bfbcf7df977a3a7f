import CauldronGraph
import CauldronModel

/// What is known of a key of a chunk.
struct KeySlot {
  /// What this import has given the key, and not saved.
  var keyed: KeyHolders
  /// What the store has; that two have it leaves open which is meant.
  var found = KeyHolders()
  var seen = Seen(record: -1)

  /// What a record has said of the key.
  struct Seen {
    let record: Int
    /// As what it was named last.
    unowned(unsafe) var entity: EntityLayout?
    /// Whether it was said more of it than the key.
    var isRecord = false
  }
}

/// The objects that have a key: mostly one, and then nothing is allocated for it.
struct KeyHolders {
  private var first: ManagedObject?
  private var others: [ManagedObject] = []

  var isEmpty: Bool { first == nil }

  mutating func append(_ object: ManagedObject) {
    if first == nil { first = object } else { others.append(object) }
  }

  mutating func removeLast() {
    if others.popLast() == nil { first = nil }
  }

  func contains(where isWanted: (ManagedObject) -> Bool) -> Bool {
    first.map(isWanted) ?? false || others.contains(where: isWanted)
  }

  func forEach(_ body: (ManagedObject) throws(Refusal) -> Void) throws(Refusal) {
    if let first { try body(first) }
    for other in others { try body(other) }
  }
}
