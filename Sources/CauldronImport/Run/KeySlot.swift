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

/// The objects that have a key: mostly one, which takes one word.
enum KeyHolders {
  case none
  case one(ManagedObject)
  case many(Many)

  /// Two and more, in the order in which they got it.
  final class Many {
    let all: [ManagedObject]

    init(_ all: [ManagedObject]) { self.all = all }
  }

  init() { self = .none }

  private init(_ all: some Collection<ManagedObject>) {
    self = all.count < 2 ? all.first.map { .one($0) } ?? .none : .many(Many(Array(all)))
  }

  var isEmpty: Bool {
    if case .none = self { true } else { false }
  }

  var all: [ManagedObject] {
    switch self {
    case .none: []
    case .one(let object): [object]
    case .many(let many): many.all
    }
  }

  mutating func append(_ object: ManagedObject) {
    self = isEmpty ? .one(object) : KeyHolders(all + [object])
  }

  mutating func removeLast() { self = KeyHolders(all.dropLast()) }

  func contains(where isWanted: (ManagedObject) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .one(let object): isWanted(object)
    case .many(let many): many.all.contains(where: isWanted)
    }
  }

  func forEach(_ body: (ManagedObject) throws(Refusal) -> Void) throws(Refusal) {
    switch self {
    case .none: return
    case .one(let object): try body(object)
    case .many(let many): for object in many.all { try body(object) }
    }
  }
}
