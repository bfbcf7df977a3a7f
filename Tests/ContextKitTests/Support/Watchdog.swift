import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// A block that did not end in time: who waited for whom then, and where every thread was.
struct Hang: Error, CustomStringConvertible {
  let description: String
}

/// Runs a block on a thread of its own; a block that does not end in time fails the test by name
/// instead of stopping the run.
///
/// The block's thread cannot be stopped; what it holds stays as it is until the process ends.
func finishes(
  within seconds: Double = 10, _ body: @escaping @Sendable () throws -> Void
) async throws {
  let first = Locked(true)
  // A thread of its own knows of no test.
  let name = Test.current?.name ?? "a test"
  try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
    let end: @Sendable (Result<Void, any Error>) -> Void = { result in
      let isFirst = first.withLock { flag in
        defer { flag = false }
        return flag
      }
      if isFirst { done.resume(with: result) }
    }
    Thread { end(Result { try body() }) }.start()
    Thread {
      Thread.sleep(forTimeInterval: seconds * slack)
      if first.withLock({ $0 }) { end(.failure(hang(seconds * slack, name))) }
    }.start()
  }
}

private func hang(_ seconds: Double, _ name: String) -> Hang {
  let waits = Scheduler.shared.waitReport.joined(separator: "; ")
  return Hang(
    description: "\(name) did not end within \(seconds) s: "
      + (waits.isEmpty ? "nobody waits for a context" : waits) + "\n" + ThreadStacks.report())
}

/// Threads that all run the same block, and are waited for.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread {
      body(number)
      group.leave()
    }.start()
  }
  group.wait()
}
