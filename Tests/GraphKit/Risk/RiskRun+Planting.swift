import Cauldron

extension RiskRun {
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
    history.isPlanted = true
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
        let card = held[parent]?[number], !card.isDeleted, self.row(card) != row
      else { return }
      throw RiskFinding(
        aspect: .getter, objects: [number], place: parent,
        text: "weight of \(name(number)) is \(text(self.row(card)[.weight])), "
          + "and a fetch gives \(text(row[.weight]))")
    }
  }
}
