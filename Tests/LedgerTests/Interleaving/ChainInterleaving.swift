import Cauldron
import CauldronModel
import Dispatch
import TestSupport

/// A chain of contexts on one root, as a stack has it.
final class ChainInterleaving: Interleaving {
  private(set) lazy var root = makeRoot("root")
  private(set) lazy var main = Session(
    ManagedObjectContext(.main, parent: root.context, name: "main"), parent: root)
  lazy var children: [Session] = (0..<5).map(makeChild)

  override var first: Session { root }

  /// Three children of the main context, two siblings of it.
  func makeChild(_ index: Int) -> Session {
    let parent = index < 3 ? main : root
    let context = ManagedObjectContext(
      .private, parent: parent.context, name: "child \(index)")
    return Session(context, parent: parent)
  }

  override func step() throws { try takeStep() }

  override func commit(_ session: Session) throws { try commitRoot() }

  override func act(at moment: HookStore.Moment) throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: try edit(anyone())
    case 2, 3: try push(random.pick(children))
    case 4: try push(main)
    case 5 where !isCommitting: try commitRoot()
    case 6: try readOne(anyone())
    case 7: try readLive(anyone())
    default: try probe(anyone())
    }
  }

  override func settle() throws {
    for session in children { session.rollback() }
    if !main.level.isRefused { try push(main) } else { main.rollback() }
    try commitRoot()
    try probe(root)
  }
}
