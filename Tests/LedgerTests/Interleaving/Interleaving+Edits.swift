import Cauldron
import TestSupport

extension Interleaving {
  /// One event of a context: a transfer, a new account, the end of one, or another mark.
  func edit(_ session: Session) throws {
    guard isFree(session) else { return }
    session.beginEvent()
    let keys = session.level.view.keys.sorted()
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where keys.count < 3 * Self.accounts && !isCommitting: try split(session, keys)
    case 1 where keys.count > Self.accounts / 2: try close(session, keys)
    case 2, 3: try mark(session, keys)
    default: try transfer(session, keys)
    }
  }

  private func transfer(_ session: Session, _ keys: [Int64]) throws {
    guard let (a, b) = try pair(session, keys) else { return }
    let amount = Int.random(in: 1...1_000_000_000, using: &random)
    session.endEvent([move(amount, a, b, session), move(-amount, b, a, session)].asEdits)
  }

  private func mark(_ session: Session, _ keys: [Int64]) throws {
    guard let account = try account(random.pick(keys), session),
      let old = session.shown[account.objectID.key]
    else { return }
    account.mark = nextMark()
    session.endEvent([
      account.objectID.key: .update(
        from: old, to: Holding(balance: old.balance, mark: account.mark))
    ])
  }

  /// A new account takes half of an old one.
  private func split(_ session: Session, _ keys: [Int64]) throws {
    guard let account = try account(random.pick(keys), session),
      let old = session.shown[account.objectID.key]
    else { return }
    let half = old.balance / 2
    account.balance = old.balance - half
    let holding = Holding(balance: half, mark: nextMark())
    session.endEvent([
      create(holding, in: session): .insert(holding),
      account.objectID.key: .update(
        from: old, to: Holding(balance: old.balance - half, mark: old.mark)),
    ])
  }

  /// An account is emptied, and deleted in the same event or in the next one.
  private func close(_ session: Session, _ keys: [Int64]) throws {
    guard let (a, b) = try pair(session, keys), let old = session.shown[a.objectID.key] else {
      return
    }
    var edits = [move(old.balance, a, b, session), move(-old.balance, b, a, session)].asEdits
    if random.once(in: 2) {
      edits[a.objectID.key] = .delete(from: old)
      a.delete()
      session.endEvent(edits)
    } else {
      session.endEvent(edits)
      a.delete()
      session.endEvent([a.objectID.key: .delete(from: Holding(balance: 0, mark: old.mark))])
    }
  }

  func create(_ holding: Holding, in session: Session) -> Int64 {
    let account = Account.create(in: session.context)
    account.balance = holding.balance
    account.mark = holding.mark
    session.hold(account, holding)
    lastKey = max(lastKey, account.objectID.key)
    return account.objectID.key
  }

  private func pair(_ session: Session, _ keys: [Int64]) throws -> (Account, Account)? {
    let first = random.pick(keys)
    let second = random.pick(keys)
    guard first != second, let a = try account(first, session),
      let b = try account(second, session)
    else { return nil }
    return (a, b)
  }

  private func move(
    _ amount: Int, _ account: Account, _ other: Account, _ session: Session
  ) -> (Int64, Edit)? {
    guard let old = session.shown[account.objectID.key] else { return nil }
    account.balance = old.balance - amount
    return (
      account.objectID.key,
      .update(from: old, to: Holding(balance: old.balance - amount, mark: old.mark))
    )
  }

  /// The session's object; read if it has none.
  func account(_ key: Int64, _ session: Session) throws -> Account? {
    if let held = session.held[key] { return held }
    let views = views(of: session)
    guard views.allSatisfy({ $0[key] != nil }),
      let account = try session.context.existingObject(with: id(key)) as? Account
    else { return nil }
    let seen = Holding(balance: account.balance, mark: account.mark)
    try check(
      views.contains { $0[key] == seen }, "\(session.context.name) has \(seen) as account \(key)")
    session.hold(account, seen)
    return account
  }
}

extension [(Int64, Edit)?] {
  fileprivate var asEdits: Edits { Dictionary(compactMap { $0 }) { $1 } }
}
