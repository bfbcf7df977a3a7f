import CauldronModel

/// The contexts of a coordinator that have no handle any more and are kept for the sake of unsaved
/// objects.
final class KeptContexts: Sendable {
  private let list = Locked<[ContextCore]>([])

  var isEmpty: Bool { list.withLock { $0.isEmpty } }

  func add(_ core: ContextCore) {
    list.withLock { list in
      if !list.contains(where: { $0 === core }) { list.append(core) }
    }
  }

  /// Looks at a few of the contexts, each time at others, and ends those that nobody needs.
  func endUnused(atMost count: Int = 4) {
    let few = list.withLock { list -> [ContextCore] in
      if list.isEmpty { return [] }
      defer { list.removeFirst(min(count, list.count)) }
      return Array(list.prefix(count))
    }
    for core in few { core.endUnlessHeld(isFirst: false) }
  }

  /// Looks at all of them.
  func endAllUnused() { endUnused(atMost: .max) }
}
