import Cauldron

extension RiskRun {
  /// A task on the main queue edits in the main context, and awaits work and saves of children. What it has
  /// edited is seen by them, and what they have saved is shown when the call returns.
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

  /// What the objects of the main context show at once, before anything else runs there.
  fileprivate mutating func lookInTask() throws {
    notePassing()
    for (number, object) in held[.main] ?? [:] { try compare(object, number, .main) }
  }
}

extension RiskTask {
  /// Awaits one step of a child.
  fileprivate func step(_ draw: Int, _ child: RiskPlace, _ loan: RiskLoan) async throws {
    guard let context = loan.run.contexts[child] else { return }
    loan.run.place = child
    let policy: MergePolicy = draw % 3 == 0 ? .mergeByPropertyObjectTrump : .error
    switch draw % 5 {
    case 0: try await context.perform { _ in try loan.run.save(child, policy) }
    case 1: try await save(context, child, policy, loan)
    case 2: try await saveUp(context, loan)
    case 3: try await context.perform { try loan.run.fetchBelow(child, $0.context) }
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
}
