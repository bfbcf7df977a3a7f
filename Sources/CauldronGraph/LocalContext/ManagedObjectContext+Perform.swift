import CauldronLedger
import CauldronModel

extension ManagedObjectContext {
  /// When a block runs that is given to a context by its own queue.
  public enum ScheduledTaskType: Sendable, Hashable {
    /// At once.
    case immediate
    /// After what is queued.
    case enqueued
  }

  /// Runs a block on the context's queue, later, as one event.
  ///
  /// ```swift
  /// context.perform { context in Person.create(in: context).name = "jack" }
  /// ```
  /// Asynchronous code has the form that waits. In the top-level code of a program that awaits, the
  /// compiler would take this form also behind `await`; name the schedule there.
  /// - Parameter block: Gets the context as a value that must not leave the block.
  @available(*, noasync, message: "use 'await perform(schedule: .immediate)' instead")
  public func perform(_ block: @escaping @Sendable (LocalContext) -> Void) {
    core.publisher.refuseIfConfined()
    core.ancestors.publish()
    core.ownership.endClaim(.queue)
    core.ownership.queue.async {
      self.core.publisher.runBlock { block(LocalContext(self)) }
    }
  }

  /// Runs a block on the context's queue as one event, and returns what it returns.
  ///
  /// A parent whose queue the caller is on, such as the main context, shows what the block saved when the
  /// call returns.
  /// - Parameters:
  ///   - schedule: Whether the block runs at once where the caller is on the context's queue
  ///     already, or always after what is queued; `.immediate` by default.
  ///   - block: Gets the context as a value that must not leave the block; objects cannot be
  ///     returned, IDs can.
  /// - Throws: What the block throws.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    core.publisher.refuseIfConfined()
    core.ancestors.publish()
    core.ownership.endClaim(.queue)
    defer { core.catchUp.runInAncestors() }
    if schedule == .immediate, core.ownership.queue.isCurrent {
      return try core.publisher.runBlock { try block(LocalContext(self)) }
    }
    return try await withCheckedThrowingContinuation { continuation in
      core.ownership.queue.async {
        let result = Result { try self.core.publisher.runBlock { try block(LocalContext(self)) } }
        continuation.resume(with: result)
      }
    }
  }

  /// Runs a block on the context's queue as one event, and returns what it returns.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping @Sendable (LocalContext) -> Value
  ) async -> Value {
    core.publisher.refuseIfConfined()
    core.ancestors.publish()
    core.ownership.endClaim(.queue)
    defer { core.catchUp.runInAncestors() }
    if schedule == .immediate, core.ownership.queue.isCurrent {
      return core.publisher.runBlock { block(LocalContext(self)) }
    }
    return await withCheckedContinuation { continuation in
      core.ownership.queue.async {
        continuation.resume(returning: self.core.publisher.runBlock { block(LocalContext(self)) })
      }
    }
  }

  /// Runs a block as one event of the context while the caller waits.
  ///
  /// For a private context the block runs on the calling thread, as soon as the queue is free; for
  /// a main context on the main queue. Calls may be nested and run in order.
  /// - Throws: What the block throws.
  @available(*, noasync, message: "use 'await perform' instead")
  public func performAndWait<Value>(_ block: (LocalContext) throws -> Value) rethrows -> Value {
    try withoutActuallyEscaping(block) { block in
      let box = ResultBox<Value>()
      let lent = LentClosure { try block(LocalContext(self)) }
      core.publisher.performAndWait { box.result = Result { try lent.run() } }
      return try box.value()
    }
  }
}

extension ResultBox {
  /// What the block returned or threw.
  func value() throws -> Value {
    guard let result else { trap("A block that was waited for did not run.") }
    return try result.get()
  }
}

extension ManagedObjectContext {
  /// Runs a block on the queue of a new context; where the task is cancelled, the statement ends that the
  /// block is waiting for.
  /// - Parameter place: The line that asked.
  /// - Throws: What the block throws; `CancellationError` where a read of it was ended.
  package nonisolated(nonsending) func performCancellably<Value: Sendable>(
    at place: String? = nil, _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    core.node.cancellation = cancellation
    core.node.place = place
    return try await withTaskCancellationHandler {
      try await perform { context in
        try cancellation.check()
        return try block(context)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Blocks that name the context by a variable of the program's own, or have no use for it.
extension ManagedObjectContext {
  /// Runs a block on the context's queue, later, as one event.
  ///
  /// ```swift
  /// context.perform { Person(context: context).name = "jack" }
  /// ```
  /// The block that takes a parameter gets the context as a value that must not leave it: there the
  /// compiler keeps objects in the block, here it only keeps those of the surroundings out.
  @available(*, noasync, message: "use 'await perform(schedule: .immediate)' instead")
  public func perform(_ block: @escaping @Sendable () -> Void) {
    perform { (_: LocalContext) in block() }
  }

  /// Runs a block on the context's queue as one event, and returns what it returns; see
  /// ``perform(schedule:_:)``.
  /// - Throws: What the block throws.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await perform(schedule: schedule) { (_: LocalContext) in try block() }
  }

  /// Runs a block on the context's queue as one event, and returns what it returns.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () -> Value
  ) async -> Value {
    await perform(schedule: schedule) { (_: LocalContext) in block() }
  }

  /// Runs a block as one event of the context while the caller waits; see ``performAndWait(_:)``.
  /// - Throws: What the block throws.
  @available(*, noasync, message: "use 'await perform' instead")
  public func performAndWait<Value>(_ block: () throws -> Value) rethrows -> Value {
    try performAndWait { (_: LocalContext) in try block() }
  }
}
