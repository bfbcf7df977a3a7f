import Cauldron

/// Which contexts take in the saves of which others, until they are told to stop.
enum Observations {
  private struct Entry: Sendable {
    weak let observer: ManagedObjectContext?
    weak let observed: ManagedObjectContext?
    let observation: ContextObservation
  }

  private static let entries = Locked<[Entry]>([])

  /// Begins, unless it has.
  static func begin(_ observer: ManagedObjectContext, _ observed: ManagedObjectContext) {
    end(observer, observed)
    let entry = Entry(
      observer: observer, observed: observed, observation: observer.mergeSaves(of: observed))
    entries.withLock { $0.append(entry) }
  }

  /// Ends, and forgets contexts that are gone.
  static func end(_ observer: ManagedObjectContext, _ observed: ManagedObjectContext) {
    let ended = entries.withLock { entries in
      let isOver: (Entry) -> Bool = { entry in
        guard let first = entry.observer, let second = entry.observed else { return true }
        return first === observer && second === observed
      }
      defer { entries.removeAll(where: isOver) }
      return entries.filter(isOver)
    }
    for entry in ended { entry.observation.cancel() }
  }
}
