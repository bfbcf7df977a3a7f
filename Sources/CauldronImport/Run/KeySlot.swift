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
    /// As what more was said of it than the key last; nil where it was not.
    unowned(unsafe) var recordAs: EntityLayout?
  }
}

/// The objects that have a key: mostly one, which takes one word.
enum KeyHolders {
  case none
  case one(ManagedObject)
  /// In the order in which they got it.
  case many([ManagedObject])

  init() { self = .none }

  var isEmpty: Bool {
    if case .none = self { true } else { false }
  }

  /// - Complexity: O(1), amortised.
  mutating func append(_ object: ManagedObject) {
    if isEmpty {
      self = .one(object)
    } else {
      var all = takeAll()
      all.append(object)
      self = .many(all)
    }
  }

  mutating func removeLast() {
    var all = takeAll()
    if all.popLast() != nil, !all.isEmpty { self = .many(all) }
  }

  /// Gives the list away, so that it has one owner while it is changed.
  private mutating func takeAll() -> [ManagedObject] {
    let taken = self
    self = .none
    switch taken {
    case .none: return []
    case .one(let object): return [object]
    case .many(let all): return all
    }
  }

  func contains(where isWanted: (ManagedObject) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .one(let object): isWanted(object)
    case .many(let all): all.contains(where: isWanted)
    }
  }

  func forEach(_ body: (ManagedObject) throws(Refusal) -> Void) throws(Refusal) {
    switch self {
    case .none: return
    case .one(let object): try body(object)
    case .many(let all): for object in all { try body(object) }
    }
  }
}

/// The keys of all records of a file, so that it is known at the first which of them will come.
package struct ImportKeys {
  private var keys: Set<KeyRef> = []

  package init() {}

  /// Notes the keys of a chunk, and what else its objects will be found by.
  package mutating func note(_ chunk: ImportChunk, _ plan: ImportPlan) {
    for record in chunk.records where record.problem == nil {
      for object in chunk.objects[record.objects] {
        let entity = plan.entities[object.plan]
        if object.key >= 0 { keys.insert(chunk.keys[object.key]) }
        guard plan.movesKeys else { continue }
        for value in chunk.values[object.values] {
          let attribute = entity.attributes[value.attribute]
          let scalar = value.scalar ?? attribute.fallback
          if attribute.isSideKey, !scalar.isNull { keys.insert(KeyRef(attribute, scalar)) }
        }
        for key in entity.sideKeys {
          if let value = chunk.said(of: object, in: entity, for: key) {
            keys.insert(KeyRef(key, value))
          }
        }
      }
    }
  }

  func contains(_ key: KeyRef) -> Bool { keys.contains(key) }
}
