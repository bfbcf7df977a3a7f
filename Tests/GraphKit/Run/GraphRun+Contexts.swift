import Cauldron

extension GraphRun {
  /// Saves, drops or refreshes what a context has.
  mutating func changeContext(_ op: Operation) throws {
    story.append("\(place) \(op[1] % 32)")
    switch op[1] % 32 {
    case 0..<8: try save(place)
    case 8..<14: try save(place, toStore: true)
    case 14: discard()
    case 15: rollback(place)
    case 16: if op[2] % 2 == 0 { rollbackAll() }
    case 17: if op[2] % 3 == 0 { try reopen() }
    case 18..<20: refault()
    case 20..<22: try refresh(op)
    case 22..<24: dropEdits(op)
    default: try reverse(op)
    }
    try compareAll()
  }

  mutating func makeContexts(_ places: [GraphPlace]) {
    for place in places {
      let parent = place == .sibling ? stage.root : stage.main
      let context = stage.child("\(place)", of: parent)
      context.automaticallyMergesChangesFromParent = true
      contexts[place] = context
      oracle.layers[place] = nil
      beginRecords(place)
    }
  }

  /// A context that goes away takes its edits with it.
  private mutating func discard() {
    if place == .main { rollback(.main) } else { makeContexts([place]) }
  }

  mutating func rollback(_ place: GraphPlace) {
    story.append("rollback \(place)")
    contexts[place]?.performAndWait { $0.context.rollback() }
    oracle.layers[place] = nil
    records[place] = GraphRecords()
    if place == .main { makeContexts([.editor, .second]) }
    if let context = contexts[place] { findFormer(context) }
  }

  private mutating func rollbackAll() {
    stage.main.performAndWait { $0.context.rollback() }
    stage.root.performAndWait { $0.context.rollback() }
    stage.main.performAndWait { $0.context.reset() }
    oracle.layers = [:]
    records = [:]
    makeContexts([.editor, .sibling, .second])
    findFormer(stage.root)
  }

  private func refault() {
    contexts[place]?.performAndWait { local in
      let context = local.context
      for object in context.registeredObjects where !object.hasChanges {
        context.refresh(object, mergeChanges: false)
      }
    }
  }

  private func refresh(_ op: Operation) throws {
    guard let number = pick(GraphKind.allCases[op[2] % GraphKind.allCases.count], op[3]) else {
      return
    }
    contexts[place]?.performAndWait { local in
      if let object = object(number, local.context) {
        local.context.refresh(object, mergeChanges: true)
      }
    }
  }

  /// Takes an object's attributes as they are elsewhere.
  private mutating func dropEdits(_ op: Operation) {
    guard place != .main, let number = pick(.node, op[2]) else { return }
    let own = oracle.layers[place]?.cells.keys.filter { cell in
      switch cell {
      case .exists(number), .reference(_, number), .crown(number): true
      default: false
      }
    }
    guard own?.isEmpty ?? true else { return }
    contexts[place]?.performAndWait { local in
      if let object = object(number, local.context) {
        local.context.refresh(object, mergeChanges: false)
      }
    }
    oracle.layers[place]?.cells[.value(number)] = nil
    oracle.layers[place]?.cells[.weight(number)] = nil
  }

  /// Has the children of the main context learn of what it has done itself.
  mutating func tellChildren(_ op: Operation) throws {
    if op[1] % 2 == 0, oracle.refusal(.main) == nil {
      return try save(.main)
    }
    for child in [GraphPlace.editor, .second] {
      contexts[child]?.performAndWait { local in
        let context = local.context
        for object in context.registeredObjects where !object.isDeleted {
          context.refresh(object, mergeChanges: true)
        }
      }
    }
  }
}
