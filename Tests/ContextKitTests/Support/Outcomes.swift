import CauldronModel
import Dispatch

/// Collects what completions report, and lets a test wait for them.
final class Outcomes: Sendable {
  struct Report: Sendable {
    let didSave: Bool
    let error: CauldronError?
    let isOnMain: Bool
  }

  private let kit: Kit
  private let reports = Locked<[Int: [Report]]>([:])
  private let group = DispatchGroup()

  init(_ kit: Kit) { self.kit = kit }

  /// A completion for the save with a number.
  func expect(
    _ number: Int, then: @escaping @Sendable (Bool) -> Void = { _ in }
  ) -> @Sendable (Bool, (any Error)?) -> Void {
    group.enter()
    return { didSave, error in
      let report = Report(
        didSave: didSave, error: error as? CauldronError, isOnMain: self.kit.isOnMain)
      then(didSave)
      self.reports.withLock { $0[number, default: []].append(report) }
      self.group.leave()
    }
  }

  /// Waits until every expected completion has run; must not be called on the main queue.
  func wait() -> [Int: [Report]] {
    group.wait()
    return reports.withLock { $0 }
  }
}
