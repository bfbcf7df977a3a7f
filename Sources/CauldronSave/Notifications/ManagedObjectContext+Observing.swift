public import CauldronGraph
import CauldronModel

/// Ends an observation when it goes away, or is told to.
public final class ContextObservation: Sendable {
  private let observers: ContextObservers
  private let number: Int

  init(_ observers: ContextObservers, _ number: Int) {
    self.observers = observers
    self.number = number
  }

  deinit { cancel() }

  /// Ends the observation.
  public func cancel() { observers.remove(number) }
}

extension ManagedObjectContext {
  /// Calls a closure at each save, change and merge of the context, on the thread that does it.
  ///
  /// ```swift
  /// let observation = context.observe { change in
  ///   if change.kind == .didSave { print(change.inserted) }
  /// }
  /// ```
  /// - Returns: The observation, which lasts as long as it is kept.
  public func observe(
    _ handler: @escaping @Sendable (ContextChange) -> Void
  ) -> ContextObservation {
    ContextObservation(core.announcer.observers, core.announcer.observers.add(handler))
  }

  /// The context's saves, changes and merges from now on, in order.
  ///
  /// ```swift
  /// for await change in context.changes where change.kind == .didSave { … }
  /// ```
  public var changes: AsyncStream<ContextChange> {
    let observers = core.announcer.observers
    return AsyncStream { continuation in
      let number = observers.add { continuation.yield($0) }
      continuation.onTermination = { _ in observers.remove(number) }
    }
  }
}
