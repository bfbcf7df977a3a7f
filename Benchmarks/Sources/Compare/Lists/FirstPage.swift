import Cauldron
import Dispatch
import Foundation

/// Fetches a list in the background, and reads what a screen shows of it.
enum FirstPage {
  static func sample(_ stack: Stack) throws -> Sample {
    let times = ThreadTimes()
    let ended = DispatchSemaphore(value: 0)
    let failure = Failure()
    let began = now()
    Task { @MainActor in
      do { try await show(stack.defaultContext) } catch { failure.error = error }
      ended.signal()
    }
    ended.wait()
    let wall = now() - began
    let passed = times.passed
    if let error = failure.error { throw error }
    return Sample(wall: wall, cpu: passed.others, main: passed.main)
  }

  @MainActor
  private static func show(_ context: ManagedObjectContext) async throws {
    let list = FetchedResultsController(ObjectQuery<Item>().sorted(by: \.name), in: context)
    try await list.performFetch()
    let page = list.objects(in: 0..<30)
    consume(page.reduce(list.snapshot.count) { $0 &+ $1.age })
  }
}

/// What went wrong; written before it is waited for, and read afterwards.
private final class Failure: @unchecked Sendable {
  var error: (any Error)?
}
