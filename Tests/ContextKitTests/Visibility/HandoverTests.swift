import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What a result of many rows costs the queue that it is handed to.
@Suite(.againstHanging, .serialized) struct HandoverTests {
  @Test func `the rows are freed in the background, also where main lets go of them last`() throws {
    let kit = try Kit()
    try kit.store("a", "b")
    weak var memory: AnyObject?
    let handover = Handover(try result(in: kit.child(), 2))
    do {
      reclaimer.suspend()
      defer { reclaimer.resume() }
      memory = handover.memory
      #expect(kit.onMain { handover.show(in: $0) } == 2)
      // Main holds nothing any more, and has freed nothing.
      #expect(handover.isEmpty && memory != nil)
    }
    reclaimer.sync {}
    #expect(memory == nil)
  }

  @Test func `the time on main does not grow with the number of rows`() throws {
    let kit = try Kit()
    let context = kit.child("many", of: kit.root)
    context.performAndWait { local in
      for number in 0..<5_000 { Account.named("\(number)", in: local.context) }
    }
    try context.saveAndWait(toPersistentStore: true)
    let few = try time(kit, 10)
    let many = try time(kit, 5_000)
    #expect(many < 5 * few + 100, "\(few) µs for 10 rows, \(many) µs for 5,000")
  }

  /// The least processor time in microseconds that taking over, counting and letting go take.
  private func time(_ kit: Kit, _ count: Int) throws -> Double {
    var best = Double.infinity
    for _ in 0..<10 {
      let handover = Handover(try result(in: kit.child(), count))
      let time = kit.onMain { main in
        let start = Self.processorTime
        let shown = handover.show(in: main)
        let time = Self.processorTime - start
        return shown == count ? time : .infinity
      }
      best = min(best, time)
    }
    return best
  }

  private func result(
    in context: ManagedObjectContext, _ limit: Int
  ) throws -> FetchedResult<Account> {
    var request = FetchRequest<Account>()
    request.limit = limit
    return try context.performAndWait { try $0.fetchResult(request) }
  }

  /// In microseconds.
  private static var processorTime: Double { threadSeconds * 1e6 }
}

/// Hands a result over so that the other queue is the last one to hold it.
private final class Handover: Sendable {
  private let result: Locked<FetchedResult<Account>?>

  init(_ result: FetchedResult<Account>) { self.result = Locked(result) }

  var isEmpty: Bool { result.withLock { $0 == nil } }

  var memory: AnyObject? { result.withLock { $0 }?.memory }

  /// Makes the list and lets go of everything.
  func show(in context: ManagedObjectContext) -> Int {
    guard let result = result.withLock({ $0.take() }) else { return 0 }
    return context.objects(of: result).count
  }
}
