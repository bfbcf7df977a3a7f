import Cauldron

extension RiskRun {
  /// A task on the main queue edits in the main context, and awaits work and saves of children, and save
  /// blocks of the stack. What it has edited is seen by them, and what they have saved is shown when the
  /// call returns.
  mutating func runTask(_ op: Operation) throws {
    let children = setup.children(of: .main)
    guard !children.isEmpty else { return }
    place = .main
    story("begin a task")
    let loan = RiskLoan(self)
    defer { self = loan.run }
    let draws = (0..<(2 + op[2] / 21 % 4)).map { op[3] / ($0 + 1) + 17 * $0 + op[2] }
    try RiskTask(stage.mainQueue).runAndWait { task in
      for draw in draws where !loan.run.isOver {
        if draw % 5 < 2 {
          try loan.run.editInTask(draw / 5)
        } else {
          try await task.step(draw / 5, children[draw / 7 % children.count], loan)
        }
      }
    }
    loan.run.place = .main
    loan.run.story("end the task")
    loan.run.contexts[.main]?.performAndWait { $0.context.processPendingChanges() }
  }

  fileprivate mutating func editInTask(_ draw: Int) throws {
    place = .main
    guard let main = contexts[.main] else { return }
    if draw % 3 == 0, family == .order {
      create([0, 0, draw, 0], main)
    } else {
      editInEvent(draw, main)
    }
  }

  /// An edit that a save block of the stack makes, and what the context on the store then writes. Nil where
  /// something is in conflict.
  fileprivate mutating func foretellBlock(_ draw: Int) -> RiskBlock? {
    let top = setup.chain(.main).last ?? .main
    let cards = oracle.living(.card, top)
    guard !cards.isEmpty else { return nil }
    let number = cards[draw / 6 % cards.count]
    guard let id = ids[number], let row = oracle.row(number, top), let was = row[.value] else {
      return nil
    }
    let value = (was + 1 + draw % 900) % 1_000
    let edit = RiskEdit(was: was, mine: value)
    let change = RiskChange(kind: .updated, edits: [.value: edit], first: row)
    var draft = oracle
    draft.bring(change, number, into: top)
    let push = draft.push(top, .error, shown: [:])
    if !push.conflicts.isEmpty { return nil }
    story("\(name(number)).value = \(value), in a save block of the stack")
    for level in setup.chain(.main) {
      contexts[level]?.performAndWait { $0.context.mergePolicy = .error }
    }
    return RiskBlock(
      object: number, id: id, value: value, change: change, place: top, push: push)
  }

  /// The main context shows what a save block has saved, where it merges and has not edited the same.
  fileprivate mutating func conclude(_ block: RiskBlock) throws {
    let isOwn = oracle.change(block.object, .main)?.edits[.value] != nil
    oracle.bring(block.change, block.object, into: block.place)
    place = block.place
    take(block.push)
    guard following.contains(.main), !isOwn || block.place == .main,
      let card = held[.main]?[block.object] as? Card, card.value != block.value
    else { return }
    throw RiskFinding(
      aspect: .order, objects: [block.object], place: .main,
      text: "\(name(block.object)) is \(card.value) after its save, not \(block.value)")
  }

  /// What the objects of the main context show at once, before anything else runs there.
  fileprivate mutating func lookInTask() throws {
    notePassing()
    for (number, object) in held[.main] ?? [:] { try compare(object, number, .main) }
  }
}

/// The edit of a save block.
private struct RiskBlock {
  let object: Int
  let id: ManagedObjectID
  let value: Int
  let change: RiskChange
  /// The context on the store.
  let place: RiskPlace
  let push: RiskPush
}

extension RiskTask {
  /// Awaits one step of a child.
  fileprivate func step(_ draw: Int, _ child: RiskPlace, _ loan: RiskLoan) async throws {
    guard let context = loan.run.contexts[child] else { return }
    loan.run.place = child
    let policy: MergePolicy = draw % 3 == 0 ? .mergeByPropertyObjectTrump : .error
    switch draw % 6 {
    case 0: try await context.perform { _ in try loan.run.save(child, policy) }
    case 1: try await save(context, child, policy, loan)
    case 2: try await saveUp(context, loan)
    case 3: try await context.perform { try loan.run.fetchBelow(child, $0.context) }
    case 4: try await saveBlock(draw, loan)
    default: try await context.perform { try loan.run.editBelow(draw, child, $0.context) }
    }
    loan.run.report.meet("awaited")
    try loan.run.lookInTask()
  }

  private func save(
    _ context: ManagedObjectContext, _ child: RiskPlace, _ policy: MergePolicy, _ loan: RiskLoan
  ) async throws {
    guard let save = loan.run.foretell(child, policy) else {
      return try loan.run.saveOpen(policy)
    }
    // A policy that is given to the call itself would go on with the changes to the next level.
    await context.perform { $0.context.mergePolicy = policy }
    var failure: CauldronError?
    do {
      try await context.save(toPersistentStore: false)
    } catch let error as CauldronError {
      failure = error
    }
    try loan.run.conclude(save, failure)
  }

  private func saveUp(_ context: ManagedObjectContext, _ loan: RiskLoan) async throws {
    guard let pushes = loan.run.foretellUp() else { return }
    var failure: CauldronError?
    do {
      try await context.save(toPersistentStore: true)
    } catch let error as CauldronError {
      failure = error
    }
    try loan.run.concludeUp(pushes, failure)
  }

  private func saveBlock(_ draw: Int, _ loan: RiskLoan) async throws {
    guard let block = loan.run.foretellBlock(draw) else { return }
    let (id, value) = (block.id, block.value)
    do {
      try await loan.run.stage.stack.save { local in
        (try local.existingObject(with: id) as? Card)?.value = value
      }
    } catch let error as CauldronError {
      throw RiskFinding(
        aspect: .failed, objects: [block.object], place: block.place, text: "\(error)")
    }
    try loan.run.conclude(block)
  }
}
