public import CauldronGraph
import CauldronModel

extension Stack {
  /// Runs a block that sees the store as it is at one moment, whatever others commit meanwhile.
  ///
  /// ```swift
  /// let report = try await stack.read { context in
  ///   (try Order.count(in: context), try Order.where(\.isOpen).sum(\.price, in: context))
  /// }
  /// ```
  /// The block gets a context of its own, which sees what is committed and nothing that is pending;
  /// faults and relationships, too, are of that moment. It cannot be saved: `store.readOnly`. As long as
  /// the block runs, the log beside the store cannot be emptied and grows with each save; so the log
  /// warns after `readWarning` seconds, and after `readLimit` the view is given up, if the configuration
  /// says so: what is read then throws `store.readTooLong`.
  /// - Returns: What the block returns; objects cannot be returned, IDs can.
  /// - Throws: What the block throws; `store.…`; `CancellationError` where the task was cancelled, which
  ///   ends the statement that runs.
  public func read<Value: Sendable>(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    let (context, finish) = try coordinator.newReadContext(readLimits, at: "\(file):\(line)")
    defer { finish() }
    return try await context.performCancellably(at: "\(file):\(line)", block)
  }

  /// Runs a block that sees the store as it is at one moment, and returns; see ``read(file:line:_:)``.
  @available(*, noasync, message: "use 'await read' instead")
  public func readAndWait<Value>(
    file: String = #fileID, line: Int = #line, _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    let (context, finish) = try coordinator.newReadContext(readLimits, at: "\(file):\(line)")
    defer { finish() }
    return try context.performAndWait(block)
  }
}
