import Dispatch
import Foundation

/// A thread of its own, for which the calling one waits while it has its event.
enum OtherThread {
  /// Runs a block on a new thread, and waits.
  /// - Throws: What the block throws.
  static func run(_ work: () throws -> Void) throws {
    let outcome = ThreadOutcome()
    withoutActuallyEscaping(work) { work in
      let box = ThreadWork(work)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        outcome.result = Result { try box.run() }
        done.signal()
      }
      done.wait()
    }
    try outcome.result?.get()
  }
}

/// `@unchecked Sendable` because the thread that makes it waits for the one that uses it.
private final class ThreadWork: @unchecked Sendable {
  private var work: (() throws -> Void)?

  init(_ work: @escaping () throws -> Void) { self.work = work }

  /// Runs the block and lets it go.
  func run() throws {
    defer { work = nil }
    try work?()
  }
}

/// `@unchecked Sendable` because it is read after the thread that writes it has ended.
private final class ThreadOutcome: @unchecked Sendable {
  var result: Result<Void, any Error>?
}
