import Cauldron
import TestSupport

extension RivalInterleaving {
  /// Writes what waits in a root; what clashes with the other side's commits goes back to where it
  /// came from, with what builds on it, and the rest is written.
  func commitRoot(_ root: Session) throws {
    if isBusy(root) { return }
    root.beginEvent()
    let hasOwn = root.level.layers.contains(where: \.isOwn)
    let (layers, refused) = root.level.verdict(root.level.layers.count)
    root.level.layers = layers + refused.filter(\.isOwn)
    giveBack(refused, root)
    let isLocked = !disk.view.isEmpty && random.once(in: 10)
    let (error, isWritten) = try save(root, layers, isLocked: isLocked)
    let late = error?.code == .storeBusy ? [] : finish(root, layers, isWritten)
    if (refused + late).contains(where: \.isOwn) { root.isTroubled = true }
    // A save without changes of its own answers for those that it has carried.
    let isRefused = hasOwn ? (refused + late).contains(where: \.isOwn) : !(refused + late).isEmpty
    try check(
      error == nil ? !isRefused : isRefused || error?.code == .storeBusy,
      "\(root.context.name): \(error.map { "\($0)" } ?? "no error"), with \(refused + late)")
    // Objects may have taken in what the layers were combined with.
    root.beginEvent()
    try check(disk.view.sum == Self.sum, "a commit has torn a transfer")
  }

  /// - Returns: The error, and whether the oracle's disk has the layers.
  private func save(
    _ root: Session, _ layers: [Deed], isLocked: Bool
  ) throws -> (CauldronError?, isWritten: Bool) {
    let wasCommitting = isCommitting
    isCommitting = true
    busy.append(root)
    if !isInHook { flight = Flight(layers: layers) }
    store.refusesNext = isLocked
    defer {
      store.refusesNext = false
      if !isInHook { (flight, disk.before) = (nil, nil) }
      busy.removeAll { $0 === root }
      isCommitting = wasCommitting
    }
    tally.add(.commit)
    var problem: CauldronError?
    do {
      try root.context.save()
    } catch let error as CauldronError
      where [.saveConflict, .saveDependency, .storeBusy].contains(error.code)
    {
      problem = error
    }
    try rethrow()
    if problem?.code == .storeBusy { tally.add(.refusedCommit) }
    let isWritten = !isInHook && flight?.isVisible == true
    return (problem, isWritten)
  }

  /// - Returns: What was given back although it stood the first look, because the other side has
  ///   committed between it and the writing.
  private func finish(_ root: Session, _ layers: [Deed], _ isWritten: Bool) -> [Deed] {
    let (written, late) =
      isWritten ? (layers, []) : root.level.verdict(layers.count)
    root.level.layers = late.filter(\.isOwn) + root.level.layers.dropFirst(layers.count)
    if !isWritten { disk.view = written.reduce(disk.view) { $0.applying($1.edits) } }
    giveBack(late, root)
    if written.contains(where: \.isOwn) { root.didCommit() }
    for deed in written {
      let keys = Set(deed.edits.keys)
      root.learnLater(keys)
      deed.source?.session.learnLater(keys)
    }
    tally.add(.writtenLayer, written.count)
    if isInHook, let flight, flight.touches(written) {
      self.flight?.isOvertaken = true
      tally.add(.overtakenCommit)
    }
    return late
  }

  /// Layers are pending again where they were made.
  private func giveBack(_ deeds: [Deed], _ root: Session) {
    tally.add(.refusedLayer, deeds.count)
    let others = deeds.filter { !$0.isOwn }
    root.receive(others)
    for deed in others {
      deed.source?.session.level.takeBack([deed])
      deed.source?.session.isTroubled = true
    }
  }
}

extension Deed {
  /// Whether it was made where it waits.
  fileprivate var isOwn: Bool { source == nil }
}
