import Cauldron
import TestSupport

extension ManagedObjectContext {
  /// How often observers of the context are told of changed objects while a block runs.
  /// - Parameter isCounted: Asked at each of these moments; all of them count by default.
  func timesTold(
    where isCounted: @escaping @Sendable () -> Bool = { true }, during body: () throws -> Void
  ) rethrows -> Int {
    let count = Locked(0)
    let seen = observe { change in
      if change.kind == .objectsDidChange, isCounted() { count.withLock { $0 += 1 } }
    }
    try body()
    return withExtendedLifetime(seen) { count.withLock { $0 } }
  }
}
