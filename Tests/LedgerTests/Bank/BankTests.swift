import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct BankTests {
  /// Seconds under load; `CAULDRON_BANK_SECONDS` sets them for long runs.
  private static let seconds =
    ProcessInfo.processInfo.environment["CAULDRON_BANK_SECONDS"].flatMap(Double.init) ?? 3

  @Test func `money is neither made nor lost while eight threads save through the chain`()
    async throws
  {
    let bank = try Bank()
    let end = DispatchTime.now() + Self.seconds
    await withCheckedContinuation { continuation in
      // Threads of their own, because the cooperative pool must not be blocked.
      Thread.detachNewThread {
        DispatchQueue.concurrentPerform(iterations: Bank.threads) { bank.work($0, until: end) }
        continuation.resume()
      }
    }
    #expect(bank.problems.all.isEmpty, "\(bank.problems.all.prefix(5))")
    let acknowledged = Set(bank.acknowledged.all)
    let found = try bank.reopened()
    #expect(found.sum == Bank.sum)
    #expect(found.duplicates == 0)
    #expect(found.transfers.isSuperset(of: acknowledged), "an acknowledged save is not there")
    #expect(found.transfers.isSubset(of: acknowledged), "a save is there that was not acknowledged")
    #expect(acknowledged.count > 10, "hardly anything was saved")
  }
}
