import CauldronModel

/// A look at the unsaved objects of a context, for one that the program holds.
///
/// A context whose handle is gone is kept as long as the program holds an object with unsaved
/// changes of it. No notice comes when the program lets go of an object, so kept contexts are looked
/// at when handles go and when events end, on any thread. While a context is kept, its lists of
/// unsaved objects only change with the lock of its ownership held, and a look has it, too.
struct HeldObjects {
  private let event: EventState
  private let pending: Pending
  private let registry: Registry

  init(event: EventState, pending: Pending, registry: Registry) {
    self.event = event
    self.pending = pending
    self.registry = registry
  }

  /// How often each unsaved object stands in the lists, by address, so that nothing is retained.
  private func unsavedReferences() -> [UnsafeMutableRawPointer: Int] {
    var references: [UnsafeMutableRawPointer: Int] = [:]
    let referrers = pending.references?.objects ?? []
    for list in [event.objects, event.deletions, pending.objects, pending.unread, referrers] {
      list.forEachUnretained { _, object in
        guard !object.isGone else { return }
        references[Unmanaged.passUnretained(object).toOpaque(), default: 0] += 1
      }
    }
    return references
  }

  /// How many objects were looked at until one was found that somebody else holds; nil for none.
  func triesUntilOneIsHeld() -> Int? {
    for (tries, (address, count)) in unsavedReferences().enumerated()
    where isHeldElsewhere(.fromOpaque(address), besides: count) {
      return tries
    }
    return nil
  }

  /// Whether somebody besides the lists and the identity map has a strong reference to an object.
  private func isHeldElsewhere(_ entry: Unmanaged<ManagedObject>, besides count: Int) -> Bool {
    // With the lists' references put aside for a moment, the map's alone is left; or the last one of
    // the lists, where the map has another object: a link that was taken away and made anew.
    let spare = isMapped(entry) ? count : count - 1
    for _ in 0..<spare { entry.release() }
    var object = entry.takeRetainedValue()
    let isSole = isKnownUniquelyReferenced(&object)
    _ = entry.retain()
    for _ in 0..<spare { _ = entry.retain() }
    return !isSole
  }

  /// Whether the identity map has this object; not inlined, so that no reference outlives it.
  @inline(never)
  private func isMapped(_ entry: Unmanaged<ManagedObject>) -> Bool {
    entry._withUnsafeGuaranteedRef { object in
      registry.object(object.key, root: object.layout.rootNumber) === object
    }
  }
}
