import CauldronModel

/// A context that lives on for the sake of its unsaved objects.
package protocol KeptContext: AnyObject, Sendable {
  /// Ends it, unless somebody still holds one of them.
  func endUnlessHeldAgain()
}

/// The contexts of a coordinator that have no handle any more and are kept for the sake of unsaved
/// objects.
package final class KeptContexts: Sendable {
  private let queue = Locked(Queue())

  /// The contexts in the order in which they are looked at.
  private struct Queue {
    /// Nil where one was taken: what it holds is freed by the code that has taken it, without the lock.
    private var contexts: [(any KeptContext)?] = []
    /// Where the next one lies: to move all others up for each few would take long.
    private var next = 0
    private var waiting: Set<ObjectIdentifier> = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ core: any KeptContext) {
      if waiting.insert(ObjectIdentifier(core)).inserted { contexts.append(core) }
    }

    mutating func take(atMost count: Int) -> [any KeptContext] {
      let few = contexts[next...].prefix(count).compactMap(\.self)
      for core in few {
        waiting.remove(ObjectIdentifier(core))
        contexts[next] = nil
        next += 1
      }
      if 2 * next >= contexts.count {
        contexts.removeFirst(next)
        next = 0
      }
      return few
    }
  }

  package var isEmpty: Bool { queue.withLock { $0.isEmpty } }

  package func add(_ core: any KeptContext) { queue.withLock { $0.add(core) } }

  /// Looks at the next few of the contexts, and ends those without use.
  /// - Complexity: O(few contexts).
  package func endUnused(atMost count: Int = 4) {
    let few = queue.withLock { $0.isEmpty ? [] : $0.take(atMost: count) }
    for core in few { core.endUnlessHeldAgain() }
  }

  /// Looks at all of them.
  func endAllUnused() { endUnused(atMost: .max) }
}
