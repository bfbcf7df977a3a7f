import Cauldron

/// One side of a relationship of an object: what tests do with all of them.
struct GraphEnd {
  let objects: () -> [ManagedObject]
  let insert: (ManagedObject) -> Void
  let remove: (ManagedObject) -> Void
  let assign: ([ManagedObject]) -> Void

  private init<Owner: ManagedObject, Object: ManagedObject>(
    _ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, ToMany<Object>>
  ) {
    objects = { owner[keyPath: path].objects }
    insert = { if let object = $0 as? Object { owner[keyPath: path].insert(object) } }
    remove = { if let object = $0 as? Object { owner[keyPath: path].remove(object) } }
    assign = { owner[keyPath: path] = ToMany($0.compactMap { $0 as? Object }) }
  }

  private init<Owner: ManagedObject>(
    _ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, OrderedToMany<Node>>
  ) {
    objects = { owner[keyPath: path].objects }
    insert = { if let node = $0 as? Node { owner[keyPath: path].append(node) } }
    remove = { if let node = $0 as? Node { owner[keyPath: path].remove(node) } }
    assign = { owner[keyPath: path] = OrderedToMany($0.compactMap { $0 as? Node }) }
  }

  private init<Owner: ManagedObject, Object: ManagedObject>(
    _ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Object?>
  ) {
    objects = { owner[keyPath: path].map { [$0] } ?? [] }
    insert = { if let object = $0 as? Object { owner[keyPath: path] = object } }
    remove = { _ in owner[keyPath: path] = nil }
    assign = { owner[keyPath: path] = $0.first as? Object }
  }

  /// - Returns: Nil where the object has no such relationship.
  init?(_ object: ManagedObject, _ property: GraphProperty) {
    switch object {
    case let node as Node: self.init(node, property)
    case let mark as Mark: self.init(mark, property)
    case let crate as Crate: self.init(crate, property)
    case let piece as Piece where property == .home: self.init(piece, \.home)
    case let word as Word where property == .wordNodes: self.init(word, \.nodes)
    default: return nil
    }
  }

  private init?(_ node: Node, _ property: GraphProperty) {
    switch property {
    case .parent: self.init(node, \Node.parent)
    case .children: self.init(node, \Node.children)
    case .whole: self.init(node, \Node.whole)
    case .parts: self.init(node, \Node.parts)
    case .likes: self.init(node, \Node.likes)
    case .likedBy: self.init(node, \Node.likedBy)
    case .marks: self.init(node, \Node.marks)
    case .rankedBy: self.init(node, \Node.rankedBy)
    case .crown: self.init(node, \Node.crown)
    case .row: self.init(node, \Node.shelf)
    case .step: self.init(node, \Node.step)
    case .packedIn: self.init(node, \Node.packedIn)
    case .guarded: self.init(node, \Node.guarded)
    case .words: self.init(node, \Node.words)
    case .holds: self.init(node, \Node.holds)
    case .friends: self.init(node, \Node.friends)
    default: return nil
    }
  }

  private init?(_ mark: Mark, _ property: GraphProperty) {
    switch property {
    case .nodes: self.init(mark, \Mark.nodes)
    case .ranking: self.init(mark, \Mark.ranking)
    case .chief: self.init(mark, \Mark.chief)
    default: return nil
    }
  }

  private init?(_ crate: Crate, _ property: GraphProperty) {
    switch property {
    case .pieces: self.init(crate, \Crate.pieces)
    case .rows: self.init(crate, \Crate.rows)
    case .packs: self.init(crate, \Crate.packs)
    case .steps: self.init(crate, \Crate.steps)
    case .guards: self.init(crate, \Crate.guards)
    default: return nil
    }
  }
}

extension ManagedObject {
  /// An ordered relationship, to be put into another order.
  func graphList(_ property: GraphProperty) -> OrderedToMany<Node>? {
    switch property {
    case .parts: (self as? Node)?.parts
    case .ranking: (self as? Mark)?.ranking
    case .rows: (self as? Crate)?.rows
    case .steps: (self as? Crate)?.steps
    default: nil
    }
  }
}
