import CauldronLedger
import CauldronModel

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
