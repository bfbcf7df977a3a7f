import Cauldron

extension RiskRun {
  /// Edits of an object before and after a child's save, which are two parts of one save as the child has
  /// changed another object that is edited in both; then a policy that drops all edits of the object.
  mutating func part(_ op: Operation) throws {
    let child = place
    guard let parent = setup.parent(of: child), let receiver = setup.parent(of: parent) else {
      return
    }
    let cards = oracle.living(.card, parent)
      .filter { oracle.row($0, child) != nil && oracle.row($0, receiver) != nil }
    guard cards.count > 1 else { return }
    let (first, second) = (cards[op[2] % cards.count], cards[(op[2] + 1) % cards.count])
    let (odd, even) = (op[3] % 499 * 2 + 1, op[3] % 499 * 2)
    edit([(first, odd), (second, odd)], at: parent)
    edit([(second, even)], at: child)
    try save(child, .mergeByPropertyObjectTrump)
    if isOver { return }
    edit([(second, odd + 2), (first, even)], at: parent)
    edit([(first, even + 2)], at: receiver)
    place = parent
    if isShared(.rollback) { return }
    try save(parent, .rollback)
  }

  /// Edits values in an event of a context.
  private mutating func edit(_ values: [(number: Int, content: Int)], at place: RiskPlace) {
    self.place = place
    contexts[place]?.performAndWait { local in
      for (number, content) in values { setValue(.edit, number, content, local.context) }
      local.context.processPendingChanges()
    }
    notePassing()
  }

  /// An edit that does not validate keeps the parent's own edits back, while a child's newer value of one
  /// of these properties goes to the store.
  mutating func plant(_ op: Operation) throws {
    let child = place
    guard let parent = setup.parent(of: child), family.kinds.contains(.card),
      let context = contexts[parent], let below = contexts[child]
    else { return }
    let cards = oracle.living(.card, parent).filter { oracle.row($0, child) != nil }
    guard cards.count > 1 else { return }
    let (wrong, number) = (cards[op[2] % cards.count], cards[(op[2] + 1) % cards.count])
    isOver = true
    place = parent
    story("\(name(wrong)).value = 5000, which does not validate")
    story("\(name(number)).weight = \(op[3])")
    context.performAndWait { local in
      (object(wrong, local.context) as? Card)?.value = 5_000
      (object(number, local.context) as? Card)?.weight = op[3]
      local.context.processPendingChanges()
    }
    place = child
    story("\(name(number)).weight = \(op[3] + 1), save to the store, objectTrump")
    below.performAndWait { local in
      guard let card = object(number, local.context) as? Card else { return }
      local.context.refresh(card, mergeChanges: true)
      card.weight = op[3] + 1
    }
    _ = try? below.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    try context.performAndWait { local in
      let rows = try RiskKind.card.rows(in: local.context)
      guard let row = rows.first(where: { $0.number == number })?.row,
        let card = held[parent]?[number], !card.isDeleted,
        self.row(card)[.weight] != row[.weight]
      else { return }
      throw RiskFinding(
        aspect: .getter, objects: [number], place: parent,
        text: "weight of \(name(number)) is \(text(self.row(card)[.weight])), "
          + "and a fetch gives \(text(row[.weight]))")
    }
  }
}
