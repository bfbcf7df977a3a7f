import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What a context claims is kept until a layer inserts it, however much others save meanwhile.
@Suite(.serialized, .againstHanging) struct ClaimingHookTests {
  private let bench: Bench

  init() throws {
    let model = try ManagedObjectModel(entities: [
      Guest._describeEntity(), Remark._describeEntity(), Keyword._describeEntity(),
    ])
    bench = try Bench(.file, model: model)
  }

  private var claims: UniqueClaims.State {
    bench.stack.coordinator.claims.state.withLock { $0 }
  }

  @Test func `others save what a hook keeps waiting`() throws {
    let (slow, quick) = (bench.child("Slow"), bench.child("Quick"))
    let failures = Locked<[String]>([])
    Guest.whenAwake.withLock { act in
      act = {
        do {
          try Guest.findOrCreate(\.name, "x", in: quick).plates = 2
          for round in 0..<4 {
            // More than are kept without a look at them.
            for number in 0..<1_100 {
              _ = try Remark.findOrCreate(\.text, "\(round) \(number)", in: quick)
            }
            try quick.saveAndWait(toPersistentStore: true)
          }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    let guest = try Guest.findOrCreate(\.name, "x", in: slow)
    guest.seats = 1
    try slow.saveAndWait(toPersistentStore: true)
    #expect(failures.withLock { $0 } == [])
    let stored = try Guest.findAll(in: bench.committed())
    #expect(stored.map(\.seats) == [1] && stored.map(\.plates) == [2])
    #expect(claims.claiming.isEmpty)
  }

  /// Nothing could be forgotten as long as somebody seemed to claim.
  @Test func `nobody goes on claiming who does not insert`() throws {
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let guest = try Guest.findOrCreate(\.name, "x", in: first)
    #expect(claims.claiming.isEmpty)
    #expect(try Guest.findOrCreate(\.name, "x", in: first) === guest)
    _ = try Guest.findOrCreate(\.name, "x", in: second)
    second.rollback()
    #expect(claims.claiming.isEmpty)
    let acts: [@Sendable () -> Void] = [{}, { second.rollback() }]
    for act in acts {
      Guest.whenAwake.withLock { $0 = act }
      _ = try Guest.findOrCreate(\.name, "y", in: second)
      second.reset()
      #expect(claims.claiming.isEmpty)
    }
    try first.saveAndWait(toPersistentStore: true)
    #expect(try Guest.findOrCreate(\.name, "x", in: second).objectID == guest.objectID)
    #expect(claims.claiming.isEmpty)
  }

  @Test func `what is abandoned is forgotten, though somebody claims at any time`() throws {
    let context = bench.child()
    let claims = bench.stack.coordinator.claims
    let others = [bench.child("First"), bench.child("Second")]
    let busy = others.map { ObjectIdentifier($0) }
    for round in 0..<24 {
      // One begins before the other one ends.
      claims.begin(busy[round % 2])
      claims.end(busy[(round + 1) % 2])
      for number in 0..<500 {
        _ = try Remark.findOrCreate(\.text, "\(round) \(number)", in: context)
      }
      context.rollback()
    }
    withExtendedLifetime(others) {}
    #expect(self.claims.count <= 6_000)
  }
}

/// Does something once, before anybody else knows of it.
@Entity final class Guest: ManagedObject {
  @Attribute(.unique) var name: String?
  var seats: Int = 0
  var plates: Int = 0

  static let whenAwake = Locked<(@Sendable () -> Void)?>(nil)

  override func awakeFromInsert() {
    super.awakeFromInsert()
    let act = Self.whenAwake.withLock { act in
      defer { act = nil }
      return act
    }
    act?()
  }
}
