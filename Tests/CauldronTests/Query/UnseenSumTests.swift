import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A sum that is too large is an error for those alone who see all that is summed.
@Suite(.againstHanging) struct UnseenSumTests {
  private func bench(
    _ kind: StoreKind
  ) throws -> (Bench, ManagedObjectContext, Worker) {
    let bench = try Bench(kind, model: try Trade.model())
    let context = bench.child()
    let firm = Firm.create(in: context)
    firm.name = "Large"
    let small = Firm.create(in: context)
    small.name = "Small"
    let workers = [Int.max, 5, 7].map { size in
      let worker = Worker.create(in: context)
      worker.size = size
      return worker
    }
    (workers[0].employer, workers[1].employer, workers[2].employer) = (firm, firm, small)
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context, workers[0])
  }

  private let firms = Firm.where { $0.staff.sum { $0.size } > 4 }
  private let workers = Worker.where { $0.employer.staff.sum { $0.size } > 4 }
  private let sorted = ObjectQuery<Firm>().sorted { $0.staff.sum { $0.size }.descending }

  @Test(arguments: StoreKind.allCases)
  func `a sum beyond 64 bits is an error for those who see it`(_ kind: StoreKind) throws {
    let (bench, context, _) = try bench(kind)
    #expect(throws: CauldronError.self) { try firms.fetch(in: context) }
    #expect(throws: CauldronError.self) { try workers.count(in: context) }
    #expect(throws: CauldronError.self) { try sorted.fetch(in: context) }
    withExtendedLifetime(bench) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `what is deleted or changed unsaved is summed no more`(_ kind: StoreKind) throws {
    for deletes in [true, false] {
      let (bench, context, worker) = try bench(kind)
      if deletes { worker.delete() } else { worker.size = 1 }
      let expected: Set = ["Large", "Small"]
      #expect(Set(try firms.fetch(in: context).map { $0.name ?? "" }) == expected)
      #expect(try firms.count(in: context) == 2)
      #expect(try firms.exists(in: context))
      #expect(try workers.count(in: context) == (deletes ? 2 : 3))
      #expect(try workers.fetch(in: context).count == (deletes ? 2 : 3))
      #expect(try sorted.limit(1).fetch(in: context).map(\.name) == ["Small"])
      let all = Firm.where { $0.staff.all { $0.employer.staff.sum { $0.size } > 4 } }
      #expect(try all.count(in: context) == 2)
      withExtendedLifetime(bench) {}
    }
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a sum that is no number is nil behind a reference, and 0 where that leads nowhere`(
    _ kind: StoreKind, _ isUnsaved: Bool
  ) throws {
    let bench = try Bench(kind, model: try Trade.model())
    let context = bench.child()
    let firm = Firm.create(in: context)
    for (name, pay) in [("up", Double.infinity), ("down", -.infinity), ("free", 1)] {
      let worker = Worker.create(in: context)
      (worker.name, worker.pay) = (name, pay)
      if pay.isInfinite { worker.employer = firm }
    }
    if isUnsaved {
      context.processPendingChanges()
    } else {
      try context.saveAndWait(toPersistentStore: true)
    }
    let sums = try Worker.select { ($0.name, $0.employer.staff.sum { $0.pay }) }
      .fetch(in: context)
    #expect(sums.count == 3)
    for (name, sum) in sums { #expect(sum == (name == "free" ? 0 : nil), "\(name ?? "")") }
    withExtendedLifetime(bench) {}
  }
}
