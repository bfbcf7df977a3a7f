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
