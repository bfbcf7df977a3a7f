import Cauldron
import TestSupport
import Testing

/// What a context claims is kept until a layer inserts it, however much others save meanwhile.
@Suite(.againstHanging) struct ClaimingHookTests {
  @Test(arguments: [1, 4])
  func `others save what a hook keeps waiting`(_ rounds: Int) throws {
    let model = try ManagedObjectModel(entities: [
      Guest._describeEntity(), Remark._describeEntity(), Keyword._describeEntity(),
    ])
    let bench = try Bench(.file, model: model)
    let (slow, quick) = (bench.child("Slow"), bench.child("Quick"))
    let failures = Locked<[String]>([])
    Guest.whenAwake.withLock { act in
      act = {
        do {
          try Guest.findOrCreate(\.name, "x", in: quick).plates = 2
          for round in 0..<rounds {
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
