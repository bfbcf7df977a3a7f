import CauldronModel

/// A context that lives on for the sake of its unsaved objects.
protocol KeptContext: AnyObject, Sendable {
  /// Ends it, unless somebody still holds one of them.
  func endUnlessHeldAgain()
}

/// The contexts of a coordinator that have no handle any more and are kept for the sake of unsaved
/// objects.
final class KeptContexts: Sendable {
  private let list = Locked<[any KeptContext]>([])

  var isEmpty: Bool { list.withLock { $0.isEmpty } }

  func add(_ core: any KeptContext) {
    list.withLock { list in
      if !list.contains(where: { $0 === core }) { list.append(core) }
    }
  }

  /// Looks at the next few of the contexts, and ends those without use.
  func endUnused(atMost count: Int = 4) {
    let few = list.withLock { list -> [any KeptContext] in
      if list.isEmpty { return [] }
      defer { list.removeFirst(min(count, list.count)) }
      return Array(list.prefix(count))
    }
    for core in few { core.endUnlessHeldAgain() }
  }

  /// Looks at all of them.
  func endAllUnused() { endUnused(atMost: .max) }
}
