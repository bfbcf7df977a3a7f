import Cauldron
import CauldronModel
import TestSupport

/// Two contexts on one coordinator, each with children, none of which learns what the other side
/// commits: rows move beneath pending changes, and a commit gives back what has come too late.
final class RivalInterleaving: Interleaving {
  private(set) lazy var roots = [makeRoot("one"), makeRoot("two")]
  lazy var children: [Session] = (0..<6).map(makeChild)
  /// The commit that is being interrupted.
  var flight: Flight?
  var tally = RivalTally()

  override var first: Session { roots[0] }

  /// Three children of each root.
  func makeChild(_ index: Int) -> Session {
    let root = roots[index / 3]
    return Session(
      ManagedObjectContext(.private, parent: root.context, name: "child \(index)"), parent: root)
  }

  override func step() throws {
    steps += 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: try edit(anyone())
    case 22..<34: try push(random.pick(children))
    case 34..<41: try commit(random.pick(roots))
    case 41..<60: try probe(anyone())
    case 60..<70: try readOne(anyone())
    case 70..<80: try readLive(anyone())
    case 80..<90: refresh(anyone())
    case 90..<93: try probe(makeRoot("reader"))
    case 93..<96: giveUp(random.pick(children))
    case 96..<98: replaceChild()
    case 98 where random.once(in: 4): giveUp(random.pick(roots))
    default: relieve()
    }
  }

  override func act(at moment: HookStore.Moment) throws {
    // Some of an overtaken commit's layers may be written by now, and others not.
    if disk.view.isEmpty || flight?.isOvertaken == true { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: try edit(anyone())
    case 2, 3: try push(random.pick(children), at: moment)
    case 4 where !isCommitting: try commit(random.pick(roots))
    case 4..<8 where moment == .beforeSave: for root in roots { try commit(root) }
    case 6: try readOne(anyone())
    case 7: try readLive(anyone())
    default: try probe(anyone())
    }
  }

  /// While a commit is recorded, the other side reads it, and its pushes are still judged by what was
  /// there before: they come before the commit, and it is their own that meets it.
  private func push(_ session: Session, at moment: HookStore.Moment) throws {
    if moment == .committed, let root = session.parent, !isBusy(root) { return }
    try push(session)
  }

  /// From here on the other side sees the commit.
  override func reach(_ moment: HookStore.Moment) {
    guard moment == .committed, !isInHook, let flight, !flight.isOvertaken else { return }
    self.flight?.isVisible = true
    disk.before = disk.view
    disk.view = flight.layers.reduce(disk.view) { $0.applying($1.edits) }
  }

  /// Until a commit is recorded, who is not part of it may read what was there before, too.
  override func views(of session: Session) -> [View] {
    [session.level.view] + [session.level.earlier].compactMap(\.self)
  }

  override func commit(_ session: Session) throws { try commitRoot(session) }

  override func settle() throws {
    for session in children { try push(session) }
    for session in roots { try commit(session) }
    for session in children + roots { giveUp(session) }
    try probe(makeRoot("reader"))
  }

  /// Mostly a child; now and then one of the roots.
  func anyone() -> Session { random.pick(random.once(in: 4) ? roots : children) }
}

/// A commit under way.
struct Flight {
  /// What it is to write.
  let layers: [Deed]
  /// Whether the other side has changed the same rows meanwhile.
  var isOvertaken = false
  /// Whether the oracle's disk has it.
  var isVisible = false

  func touches(_ others: [Deed]) -> Bool {
    !Set(layers.flatMap(\.edits.keys)).isDisjoint(with: others.flatMap(\.edits.keys))
  }
}
