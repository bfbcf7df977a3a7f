import CauldronModel
import Dispatch
import Logging

extension ContextCore {
  /// Runs `body` as an event of the context and returns when it has run.
  func performAndWait(_ body: @escaping @Sendable () -> Void) {
    refuseIfConfined()
    publishAncestors()
    ownership.endClaim(.queue)
    hold { self.runBlock(body) }
  }

  /// Runs `body` while the calling thread has the queue, so that nobody else works here meanwhile.
  func hold(_ body: @escaping @Sendable () -> Void) {
    let main = coordinator.mainQueue
    ownership.queue.sync(
      runs: main.isCurrent ? main : nil,
      longWait: { logLongWait() },
      body)
  }

  /// What is awaited may go on on any thread, and a confined context must stay on its own.
  /// - Throws: `context.confined`.
  func refuseFollowingConfined() throws {
    guard ownership.isConfined else { return }
    throw CauldronError(
      .contextConfined,
      "Nothing can be awaited in context \"\(name)\", which is confined to the thread that made it.",
      hint: "Use performFetchAndWait() there, or a .private context.")
  }

  /// A context without a queue has nowhere to run a block.
  func refuseIfConfined() {
    guard ownership.isConfined else { return }
    trap(
      "Context \"\(name)\" is confined to the thread that made it and has no queue;"
        + " make a .private context to use perform(_:).")
  }

  private func logLongWait() {
    let last = ownership.lastThread
    coordinator.logger.warning(
      "A thread has waited for context \"\(name)\" for a second (last used by thread \(last)).")
  }
}

/// Carries what a block returns or throws over a wait.
///
/// `@unchecked Sendable` because the block writes it before the waiting caller reads it.
final class ResultBox<Value>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}

/// Lends a closure that is not Sendable to the thread that runs it while its owner waits.
///
/// `@unchecked Sendable` because caller and block never run at the same time.
struct LentClosure<Value>: @unchecked Sendable {
  let run: () throws -> Value
}
