import CauldronModel

// A context whose handle is gone is kept as long as the program holds an object with unsaved changes
// of it. Nobody is told when the program lets go of an object, so kept contexts are looked at when
// handles go and when events end, on whatever thread that is. While a context is kept, its lists of
// unsaved objects only change with the lock of `shared` held, and a look has it, too.
extension ContextCore {
  /// Ends the context if it has no handle and nobody holds an unsaved object of it; else it is kept
  /// and looked at again.
  /// - Parameter isFirst: Whether its handle has only just gone, and another thread may be in the
  ///   middle of an edit that knows nothing of the lock.
  /// - Complexity: O(unsaved objects), a part of a look only one time in many.
  func endUnlessHeld(isFirst: Bool) {
    let fate = shared.withLock { shared -> Fate in
      guard !shared.isDetached, !shared.handle.isSet else { return .unchanged }
      guard event.isEmpty && pending.isEmpty || !mustKeep(&shared, isFirst) else {
        isKept = true
        // Whoever used it until now has to prove it again, and learns that it is kept.
        owner.clear()
        return .kept
      }
      shared.isDetached = true
      shared.inbox = []
      return .ended
    }
    switch fate {
    case .unchanged: return
    case .kept: coordinator.kept.add(self)
    case .ended: end()
    }
  }

  private enum Fate { case unchanged, kept, ended }

  private func mustKeep(_ shared: inout Shared, _ isFirst: Bool) -> Bool {
    if isFirst, shared.claim.isForeign { return true }
    if !isFirst, shared.looksToSkip > 0 {
      shared.looksToSkip -= 1
      return true
    }
    let references = unsavedReferences()
    guard let tries = triesUntilHeld(references) else { return false }
    shared.looksToSkip = tries / 64
    return true
  }

  /// How often each unsaved object stands in the lists, by address, so that nothing is retained.
  private func unsavedReferences() -> [UnsafeMutableRawPointer: Int] {
    var references: [UnsafeMutableRawPointer: Int] = [:]
    for list in [event, pending] {
      list.forEachUnretained { _, object in
        guard !object.state.contains(.gone) else { return }
        references[Unmanaged.passUnretained(object).toOpaque(), default: 0] += 1
      }
    }
    return references
  }

  /// How many objects were looked at until one was found that somebody else holds; nil for none.
  private func triesUntilHeld(_ references: [UnsafeMutableRawPointer: Int]) -> Int? {
    for (tries, (address, count)) in references.enumerated()
    where isHeldElsewhere(.fromOpaque(address), besides: count) {
      return tries
    }
    return nil
  }

  /// Whether somebody besides the lists and the identity map has a strong reference to an object.
  private func isHeldElsewhere(_ entry: Unmanaged<ManagedObject>, besides count: Int) -> Bool {
    // With the lists' references put aside for a moment, the map's alone is left.
    for _ in 0..<count { entry.release() }
    var object = entry.takeRetainedValue()
    let isSole = isKnownUniquelyReferenced(&object)
    _ = entry.retain()
    for _ in 0..<count { _ = entry.retain() }
    return !isSole
  }
}

extension ContextClaim {
  /// Whether a thread or task has claimed the context that is not the caller.
  var isForeign: Bool {
    switch self {
    case .open, .queue: false
    case .thread, .task: !isCallers
    }
  }
}

extension ContextCore: KeptContext {
  func endUnlessHeldAgain() { endUnlessHeld(isFirst: false) }
}
