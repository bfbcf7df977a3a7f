import Cauldron
import CauldronModel
import TestSupport

extension Interleaving {
  func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      key: key, entityNumber: coordinator.managedObjectModel.layouts[0].number,
      storeNumber: coordinator.storeNumber)
  }

  /// Reads with a context that has no objects of its own, and so shows what `session` sees.
  func probe(_ session: Session) throws {
    try reading(session) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return try isSubset(session)
      case 1: return try isCounted(session)
      default:
        let seen = try fetchAll(session)
        return { $0 == seen ? nil : "sees \(seen.difference(from: $0))" }
      }
    }
  }

  /// Looks one account up, whether it exists or not.
  func readOne(_ session: Session) throws {
    guard isFree(session) else { return }
    session.beginEvent()
    let key = random.once(in: 8) ? random.pick(Array(1...lastKey)) : anyKey(session)
    if let account = session.held[key] {
      return try checkShown(account, session)
    }
    try reading(session, isLive: true) {
      let found = try Account.find(id(key), in: session.context)
      let seen = found.map { Holding(balance: $0.balance, mark: $0.mark) }
      if let found, let seen { session.hold(found, seen) }
      if found == nil { session.loseRegistered(id(key)) }
      return { view in
        view[key] == seen
          ? nil : "finds \(describe(seen)) for account \(key), not \(describe(view[key]))"
      }
    }
  }

  /// Fetches with the context's own objects: those that it had show what they did, new ones what
  /// the context sees now.
  func readLive(_ session: Session) throws {
    guard isFree(session) else { return }
    session.beginEvent()
    for account in session.held.values { try checkShown(account, session) }
    let shown = session.shown
    try reading(session, isLive: true) {
      let objects = try Account.findAll(in: session.context)
      var seen: View = [:]
      for object in objects {
        let holding = Holding(balance: object.balance, mark: object.mark)
        seen[object.objectID.key] = holding
        session.hold(object, holding)
      }
      return { view in
        let expected = Dictionary(uniqueKeysWithValues: view.map { ($0, shown[$0] ?? $1) })
        return expected == seen ? nil : "fetches \(seen.difference(from: expected))"
      }
    }
  }

  private func anyKey(_ session: Session) -> Int64 {
    random.pick(session.level.view.keys.sorted())
  }

  func fetchAll(_ session: Session) throws -> View {
    let probe = ManagedObjectContext(.private, parent: session.context, name: "probe")
    var view: View = [:]
    for account in try Account.findAll(in: probe) {
      try check(
        view[account.objectID.key] == nil, "account \(account.objectID.key) is fetched twice")
      view[account.objectID.key] = Holding(balance: account.balance, mark: account.mark)
    }
    return view
  }

  /// A condition, an order, a limit and an offset, with all pending changes taken into account.
  private func isSubset(_ session: Session) throws -> (View) -> String? {
    let probe = ManagedObjectContext(.private, parent: session.context, name: "probe")
    let least = Int.random(in: -500_000_000...500_000_000, using: &random)
    let limit = Int.random(in: 1...12, using: &random)
    let offset = Int.random(in: 0...3, using: &random)
    let found = try Account.findAll(
      where: \.balance >= least, sortedBy: \.mark, ascending: random.once(in: 2), limit: limit,
      offset: offset, in: probe)
    let ascending = found.count < 2 || found[0].mark < found[1].mark
    let marks = found.map(\.mark)
    return { view in
      let all = view.values.filter { $0.balance >= least }.map(\.mark).sorted()
      let up = Array(all.dropFirst(offset).prefix(limit))
      let down = Array(all.reversed().dropFirst(offset).prefix(limit))
      let isRight = marks == up || marks == down
      return isRight ? nil : "selects the marks \(marks), not \(ascending ? up : down)"
    }
  }

  private func isCounted(_ session: Session) throws -> (View) -> String? {
    let probe = ManagedObjectContext(.private, parent: session.context, name: "probe")
    let least = Int.random(in: -500_000_000...500_000_000, using: &random)
    let count = try Account.count(where: \.balance >= least, in: probe)
    return { view in
      let expected = view.values.filter { $0.balance >= least }.count
      return count == expected ? nil : "counts \(count), not \(expected)"
    }
  }

  private func checkShown(_ account: Account, _ session: Session) throws {
    let now = Holding(balance: account.balance, mark: account.mark)
    let expected = session.shown[account.objectID.key]
    try check(
      now == expected,
      "\(session.context.name): account \(account.objectID.key) shows \(now), not"
        + " \(describe(expected))")
  }

  /// Compares what was read with what was true at some moment since the read began.
  private func reading(
    _ session: Session, isLive: Bool = false, _ body: () throws -> (View) -> String?
  ) throws {
    watch = Watch(level: session.level, views: views(of: session))
    if isLive { busy.append(session) }
    defer {
      if isLive { busy.removeLast() }
      watch = nil
    }
    let verdict = try body()
    try rethrow()
    let views = watch?.views ?? []
    let complaints = views.map(verdict)
    if complaints.contains(where: { $0 == nil }) { return try checkSum(session, views) }
    try check(false, "\(session.context.name) \((complaints.first ?? nil) ?? "")")
  }

  /// Where nothing that clashes is pending, money is neither made nor lost.
  private func checkSum(_ session: Session, _ views: [View]) throws {
    guard !session.level.isRefused, session.parent?.level.isRefused != true else { return }
    try check(
      views.allSatisfy { $0.sum == Self.sum } || views.count > 1,
      "\(session.context.name) sees a sum of \(views[0].sum)")
  }
}

private func describe(_ holding: Holding?) -> String { holding.map { "\($0)" } ?? "nothing" }

extension View {
  /// What is different, for messages.
  fileprivate func difference(from other: View) -> String {
    let keys = Set(keys).union(other.keys).filter { self[$0] != other[$0] }.sorted()
    return keys.map { key in
      "\(key): \(self[key].map { "\($0)" } ?? "-"), not \(other[key].map { "\($0)" } ?? "-")"
    }.joined(separator: "; ")
  }
}
