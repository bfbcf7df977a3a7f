import Cauldron

extension GraphRun {
  /// Has a context note what can be undone.
  mutating func beginRecords(_ place: GraphPlace) {
    records[place] = GraphRecords()
    contexts[place]?.performAndWait { $0.context.undoManager = UndoManager() }
  }

  /// Notes what the event has changed, which the context has noted, too.
  mutating func record(since before: GraphOracle) {
    let record = GraphRecord(before, oracle, place)
    records[place, default: GraphRecords()].undone = []
    records[place]?.done.append(record)
  }

  /// Undoes what was done last, and makes some of it again.
  mutating func reverse(_ op: Operation) throws {
    for _ in 0...(op[2] % 3) { try reverse(isRedo: false) }
    for _ in 0..<(op[3] % 4) { try reverse(isRedo: true) }
  }

  /// Undoes, or makes again, what was done last, where nobody has changed the same since.
  mutating func reverse(isRedo: Bool) throws {
    guard let context = contexts[place] else { return }
    let record = isRedo ? records[place]?.undone.popLast() : records[place]?.done.popLast()
    let isKnown = context.performAndWait { local in
      let manager = local.context.undoManager
      return isRedo ? manager?.canRedo : manager?.canUndo
    }
    guard let record else {
      if isKnown == true { throw GraphDifference("\(place) could undo what nobody has done") }
      return
    }
    if isKnown != true { throw GraphDifference("\(place) has nothing to undo") }
    guard mayReverse(record) else {
      story.append("  forget what could be undone")
      return forget()
    }
    story.append("  \(isRedo ? "redo" : "undo") \(record.cells.count) facts")
    let before = oracle
    let former = ids
    let wasThere = record.coming().filter { oracle.exists($0, place.parent) }
    apply(record)
    try context.performAndWait { local in
      do {
        if isRedo { try local.context.redo() } else { try local.context.undo() }
      } catch {
        throw GraphDifference("undoing ended with \(error)")
      }
      for number in record.coming() {
        try find(number, mayBeNew: !wasThere.contains(number), local.context)
      }
    }
    for number in record.coming() where ids[number] != former[number] {
      forgetWhatOthersCouldUndo(of: number)
    }
    if isRedo {
      records[place]?.done.append(record.reversed(before, oracle, place))
    } else {
      records[place]?.undone.append(record.reversed(before, oracle, place))
    }
    try compare(record.objects, place)
    if place == .main { try tellChildren([1, 1, 1, 1]) }
  }

  /// What happens is not known, so nothing is undone.
  private mutating func forget() {
    records[place] = GraphRecords()
    contexts[place]?.performAndWait { $0.context.undoManager?.removeAllActions() }
  }

  /// An object has come back as another one: what the children have done to the former one is not undone with
  /// the new one.
  private mutating func forgetWhatOthersCouldUndo(of number: Int) {
    for other in place.others {
      guard let known = records[other],
        (known.done + known.undone).contains(where: { $0.objects.contains(number) })
      else { continue }
      records[other] = GraphRecords()
      contexts[other]?.performAndWait { $0.context.undoManager?.removeAllActions() }
    }
  }

  private func mayReverse(_ record: GraphRecord) -> Bool {
    let (coming, going) = (record.coming(), record.going())
    let isSimple = record.objects.allSatisfy { oracle.kind($0) != .word }
    guard isSimple, record.lists.values.allSatisfy({ $0.before != nil && $0.after != nil }) else {
      return false
    }
    let isUnchanged = record.cells.allSatisfy { oracle.content($0.key, place) == $0.value.after }
    // A link that the parent has taken away, too, stays away when the context takes its own deletion back.
    let isLinkedAbove = record.cells.allSatisfy { cell, change in
      !cell.isLink || change.before != 1 || oracle.layers[place]?.cells[cell] == nil
        || oracle.content(cell, place.parent) != 0
    }
    // What led to a deleted object, and another context has led elsewhere since, is a conflict of the next save.
    let isLeading = record.leading.allSatisfy {
      record.cells[$0.key] != nil || oracle.content($0.key, place) == $0.value
    }
    let isAsMade = record.made.allSatisfy { oracle.content($0.key, place) == $0.value }
    let isInOrder = record.lists.allSatisfy { list, order in
      !oracle.exists(list.owner, place) || oracle.order(list, place) == order.after
    }
    // An order that others have made without what comes back has no place for it.
    let isArranged = record.lists.keys.contains { list in
      place.others.contains { oracle.layers[$0]?.orders[list] != nil }
    }
    if isArranged || record.lost.contains(where: { oracle.exists($0, place) }) { return false }
    let doomed = Set(going.flatMap { oracle.doomed($0, place) })
    let isWhole = isLeading && isAsMade && isInOrder && doomed.subtracting(going).isEmpty
    guard isUnchanged, isLinkedAbove, isWhole else { return false }
    let writes = record.cells.map { ($0.key, $0.value.before) }
    // What comes back leads to what is there.
    for (cell, content) in writes + coming.flatMap(references) {
      guard let content, !cell.isLink, cell.leads else { continue }
      if !oracle.exists(content, place), !coming.contains(content) { return false }
    }
    let isLinkable = record.linked.allSatisfy { oracle.exists($0, place) || coming.contains($0) }
    guard isLinkable, coming.allSatisfy({ isWaitedFor($0) }) else { return false }
    let touching = record.objects.filter { !coming.contains($0) }
    // Others may have deleted what was changed.
    guard touching.allSatisfy({ oracle.exists($0, place) }) else { return false }
    // A new reference to what another context has deleted is shown until a save, where the rule decides.
    let led = coming.flatMap(references).filter { $0.1 != nil }
    return oracle.isFree(
      writes + places(record) + coming.flatMap(referrers) + led, touching: Array(touching),
      deleting: going, place)
      && coming.allSatisfy { isFreeToCome($0) }
  }

  /// The facts that say where objects are in lists whose order is taken back.
  private func places(_ record: GraphRecord) -> [(GraphCell, Int?)] {
    record.lists.filter { $0.value.mayMove }.flatMap { list, order in
      (order.before ?? []).compactMap { member in
        oracle.cell(member, list).map { ($0, $0.isLink ? 1 : list.owner) }
      }
    }
  }

  /// Nobody has changed meanwhile what an object leads to, or what leads to it; and where it comes as
  /// another one, nobody has the old one still.
  private func isFreeToCome(_ object: Int) -> Bool {
    let isNew = !oracle.exists(object, place.parent)
    if isNew,
      oracle.exists(object, nil)
        || GraphPlace.allCases.contains(where: { level in
          oracle.exists(object, level)
        })
    {
      return false
    }
    return place.others.allSatisfy { oracle.layers[$0]?.mentioned.contains(object) != true }
  }

  /// The partners of an object that comes back have not found others meanwhile, which would be a conflict.
  private func isWaitedFor(_ object: Int) -> Bool {
    [(GraphCell.chief(object), GraphCell.crown), (.crown(object), GraphCell.chief)].allSatisfy {
      cell, back in
      guard let partner = oracle.content(cell, place),
        let other = oracle.content(back(partner), place)
      else { return true }
      return other == object || !oracle.exists(other, place)
    }
  }

  private func references(_ object: Int) -> [(GraphCell, Int?)] {
    var cells: [GraphCell] = GraphReference.allCases.map { .reference($0, object) }
    cells += [.chief(object), .crown(object)]
    return cells.map { ($0, oracle.content($0, place)) }
  }

  /// The references that lead to an object which comes as another one: they are set anew.
  private func referrers(_ object: Int) -> [(GraphCell, Int?)] {
    if oracle.exists(object, place.parent) { return [] }
    return GraphReference.allCases.flatMap { reference in
      oracle.living(reference.member, place).map { GraphCell.reference(reference, $0) }
    }.filter { oracle.content($0, place) == object }.map { ($0, object) }
  }

  private mutating func apply(_ record: GraphRecord) {
    let (coming, going) = (record.coming(), record.going())
    let shown = record.lists.keys.map { ($0, oracle.order($0, place)) }
    let old = Dictionary(uniqueKeysWithValues: shown)
    for (cell, change) in record.cells {
      if case .exists = cell { continue }
      oracle.write([(cell, change.before)], place)
    }
    oracle.write(places(record), place)
    for object in coming {
      if oracle.exists(object, place.parent) {
        oracle.layers[place]?.cells[.exists(object)] = nil
      } else {
        oracle.write([(.exists(object), 1)] + referrers(object), place)
      }
      // Who comes back has a partner lead to it, whom nobody may delete unseen.
      for cell in [GraphCell.chief(object), .crown(object)] {
        guard let partner = oracle.content(cell, place) else { continue }
        oracle.layers[place, default: .init()].mentioned.insert(partner)
      }
    }
    oracle.delete(going, place)
    for (list, order) in record.lists where oracle.exists(list.owner, place) {
      guard let before = order.before else { continue }
      // What comes as another one has a place of its own, which the parent does not know.
      let isNew = coming.contains { before.contains($0) && !oracle.exists($0, place.parent) }
      // Who joins the list or leaves it changes it, also where its order still names him.
      let isSame = old[list] == before && oracle.order(list, place) == before
      if isNew || !isSame { oracle.arrange(list, before, place) }
    }
  }

  /// Looks an object up that has come back; one whose deletion was not saved is the same as before.
  private mutating func find(
    _ number: Int, mayBeNew: Bool, _ context: ManagedObjectContext
  ) throws {
    if let id = ids[number], (try? context.existingObject(with: id)) != nil { return }
    guard mayBeNew else { throw GraphDifference("\(number) has not come back as it was") }
    let found: ManagedObject? =
      switch oracle.kind(number) {
      case .node: try Node.findFirst(where: \.uid == number, in: context)
      case .mark: try Mark.findFirst(where: \.uid == number, in: context)
      case .crate: try Crate.findFirst(where: \.uid == number, in: context)
      case .piece: try Piece.findFirst(where: \.uid == number, in: context)
      case .word: nil
      }
    guard let found else { throw GraphDifference("\(number) has not come back") }
    if let id = ids[number] { formerIDs[number, default: []].append(id) }
    register(found, number)
  }

  /// Deletions were dropped, so that objects are there again in whose place others had come.
  mutating func findFormer(_ context: ManagedObjectContext) {
    context.performAndWait { local in
      for (number, former) in formerIDs {
        for id in [ids[number]].compactMap({ $0 }) + former
        where (try? local.existingObject(with: id)) != nil {
          ids[number] = id
        }
      }
    }
  }
}

extension GraphCell {
  /// Whether its content is an object.
  var leads: Bool {
    switch self {
    case .reference, .chief, .crown: true
    default: false
    }
  }
}
