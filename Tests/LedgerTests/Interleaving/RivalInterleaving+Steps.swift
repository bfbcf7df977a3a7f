import Cauldron
import TestSupport

extension RivalInterleaving {
  /// Saves a child into its root, which refuses exactly what it has to.
  func push(_ session: Session) throws {
    guard let root = session.parent, !isBusy(session) else { return }
    session.beginEvent()
    let layers = session.level.layers
    let conflicts = session.level.conflicts
    do {
      try session.context.save()
    } catch let error as CauldronError where [.saveConflict, .saveDependency].contains(error.code) {
      try check(
        !conflicts.isEmpty,
        "\(session.context.name) was refused without need: \(error); it pushes \(layers)"
          + " onto \(root.level.view)")
      tally.add(.refusedPush)
      return giveUp(session)
    }
    try check(
      conflicts.isEmpty,
      "\(session.context.name) has overwritten a newer change with \(layers)"
        + " on top of \(root.level.view)")
    if layers.isEmpty { return }
    tally.add(.push)
    session.isTroubled = false
    session.didPush(tally.counts[.push] ?? 0)
    root.receive(layers)
    session.learn(Set(layers.flatMap(\.edits.keys)))
  }

  /// Reads everything anew, as somebody does who wants to see what the other side has committed.
  func refresh(_ session: Session) {
    guard isFree(session) else { return }
    session.beginEvent()
    session.refresh()
  }

  /// Drops what is pending, also what came back, and reads everything anew.
  func giveUp(_ session: Session) {
    guard !isBusy(session) else { return }
    let touched = session.level.layers.flatMap(\.edits.keys)
    session.rollback()
    for key in touched { session.holdRegistered(id(key)) }
  }

  /// One of those that got something back gives it up.
  func relieve() {
    guard let session = (children + roots).first(where: \.isTroubled) else { return }
    giveUp(session)
  }

  /// A new child in the place of one whose saves have all arrived.
  func replaceChild() {
    let index = Int.random(in: children.indices, using: &random)
    let child = children[index]
    let waiting = child.parent?.level.layers ?? []
    guard !isBusy(child), !waiting.contains(where: { $0.source?.session === child }) else {
      return
    }
    children[index] = makeChild(index)
  }
}
