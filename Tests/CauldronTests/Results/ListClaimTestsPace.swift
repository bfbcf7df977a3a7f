import Cauldron
import CauldronMagicalRecord
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronLedger
@testable import CauldronLive

/// What a list costs while much is going on, and that it misses nothing then.
@Suite(.againstHanging, .ownThread) struct ListClaimTestsPace {
  /// Lets a minute's pause between two fetches pass.
  private func rest() { usleep(100_000) }

  @Test func `a list that waits to fetch again does so once, however often others write`() throws {
    let office = try GatedOffice(people: ["ann", "bob"])
    let (views, fetches) = (Locked(0), Locked(0))
    office.store.onMoment { moment in
      switch moment {
      case .pinned: views.withLock { $0 += 1 }
      case .reading:
        usleep(50_000)
        fetches.withLock { $0 += 1 }
      default: break
      }
    }
    let list = try office.list()
    let known = fetches.withLock { $0 }
    for _ in 0..<40 {
      office.coordinator.ledger.othersHaveWritten {}
      usleep(3_000)
    }
    usleep(5_000)
    let before = views.withLock { $0 }
    #expect(comesTrueSoon { fetches.withLock { $0 } > known })
    usleep(400_000)
    #expect(views.withLock { $0 } - before < 10)
    #expect(list.names == ["ann", "bob"])
  }

  @Test func `what another program commits while a list begins to read is not missed`() throws {
    let office = try GatedOffice(.file, people: ["ann", "bob"])
    let list = try office.list()
    try list.settleAndWait()
    rest()
    let (other, ledger) = (OtherConnection(office.url), office.coordinator.ledger)
    let isNext = Locked(true)
    office.store.onMoment { moment in
      guard moment == .pinned else { return }
      let isNow = isNext.withLock { flag in
        defer { flag = false }
        return flag
      }
      guard isNow else { return }
      #expect(other.run("UPDATE ZPERSON SET ZNAME = 'yan', Z_OPT = Z_OPT + 1 WHERE ZNAME = 'ann'"))
      ledger.othersHaveWritten {}
    }
    ledger.othersHaveWritten {}
    #expect(comesTrueSoon { list.names == ["bob", "yan"] })
    try office.coordinator.close()
  }

  @Test func `own edits are in the list at once while another program writes`() throws {
    let office = try GatedOffice(people: ["ann", "bob"])
    office.store.onMoment { if $0 == .reading { usleep(50_000) } }
    let list = try office.list()
    // A busy machine may have the list begin to read at another moment than it would.
    var wasAtOnce = false
    for name in (0..<20).map({ "a\($0)" }) where !wasAtOnce {
      office.coordinator.ledger.othersHaveWritten {}
      usleep(20_000)
      wasAtOnce = office.onMain { main in
        Person.named(name, in: main)
        main.processPendingChanges()
        return list.names.contains(name)
      }
      #expect(comesTrueSoon { list.names.contains(name) })
    }
    #expect(wasAtOnce)
  }

  @Test func `the main thread is not held up by what a large change of a list has changed`() throws
  {
    let bench = try Bench()
    let list = try bench.onMain { main in try Person.fetchAll(sortedBy: \.name, in: main) }
    let child = bench.child()
    child.performAndWait { local in
      for number in 0..<9_000 { Person.named("\(number)", in: local.context) }
    }
    try child.saveAndWait(toPersistentStore: true)
    var longest = 0.0
    var count = 0
    let end = ContinuousClock.now + .seconds(20 * slack)
    while count < 9_000, ContinuousClock.now < end {
      bench.onMain { main in
        let start = threadSeconds
        main.processPendingChanges()
        longest = max(longest, threadSeconds - start)
        count = list.snapshot.count
      }
      usleep(200)
    }
    #expect(count == 9_000)
    #expect(longest < 0.02 * slack)
  }

  @Test func `a list does not grow by edits of the same objects`() throws {
    let bench = try Bench()
    bench.onMain { main in for number in 0..<200 { Person.named("\(number)", in: main) } }
    let list = try bench.onMain { main in try Person.fetchAll(sortedBy: \.name, in: main) }
    try list.settleAndWait()
    let feed = try #require(list.state.withLock { $0.feed })
    let ledger = bench.stack.coordinator.ledger
    ledger.withLock { ledger.journal.wake = nil }
    for age in 1...60 {
      bench.onMain { main in
        for person in list.objects(in: 0..<200) { person.age = age }
        main.processPendingChanges()
      }
    }
    #expect(list.snapshot.value(of: \.age, at: 199) == 60)
    let isCompact = comesTrueSoon {
      feed.list.stepping.withLock { feed.list.content?.rows.isLoose == false }
    }
    #expect(isCompact)
  }

  @Test func `a list does not grow by changes that leave it as it is`() throws {
    let bench = try Bench()
    try bench.mainContext.performAndWait { local in
      for number in 0..<500 {
        let company = Company.named("\(number)", in: local.context)
        Person.named("\(number)", age: 61, at: company, in: local.context)
      }
      try local.save()
    }
    let query = try Company.where(Where(format: "ANY employees.age > 60")).sorted(by: \.name)
    let list = try bench.onMain { main in
      let list = FetchedResultsController(query, in: main, sectionBy: .firstLetter(of: \.name))
      try list.performFetchAndWait()
      return list
    }
    let people = try bench.onMain { main in Lent(try Person.findAll(in: main)) }
    for _ in 0..<40 {
      bench.onMain { main in
        for person in people.value { person.age += 1 }
        main.processPendingChanges()
      }
      try list.settleAndWait()
    }
    #expect(list.snapshot.count == 500)
    let rows = try #require(list.state.withLock { $0.feed }?.list.content?.rows)
    let memory = try #require(Mirror(reflecting: rows).descendant("memory"))
    let blocks = Mirror(reflecting: memory).descendant("blocks") as? [UnsafeMutableRawPointer]
    #expect(try #require(blocks).count <= 2)
  }

  @Test func `whoever lets go of a large list does not free its rows`() throws {
    let bench = try Bench(.file)
    let child = bench.child()
    child.performAndWait { local in
      for number in 0..<3_000 { Person.named("\(number)", in: local.context) }
    }
    try child.saveAndWait(toPersistentStore: true)
    let held = Locked<FetchedResultsController<Person>?>(nil)
    bench.onMain { main in
      let list = try? Person.fetchAll(sortedBy: \.name, in: main)
      held.withLock { $0 = list }
    }
    try held.withLock { $0 }?.settleAndWait()
    var rows: [RowPointer] = []
    held.withLock { $0 }?.snapshot.rows?.forEach(in: 0..<3_000) { rows.append($0) }
    let watch = BlockWatch(rows)
    #expect(watch.alive.count == 3_000)
    reclaimer.suspend()
    bench.onMain { _ in held.withLock { $0 = nil } }
    let count = watch.alive.count
    reclaimer.resume()
    // The last block may be one that others have begun to fill.
    #expect(comesTrueSoon { watch.alive.count < 500 })
    #expect(count == 3_000)
  }

  @Test func `many edits elsewhere while a list fetches do no harm`() async {
    await #expect(processExitsWith: .success) { try editDuringFetch() }
  }

  @Test func `a result that goes away while another one comes holds up nobody`() {
    let lists = LiveLists()
    let (handed, hasEnded) = (Locked<FadingResult?>(nil), Locked(0))
    let node = LedgerNode(parent: nil)
    let ledger = ChangeLedger()
    Thread.detachNewThread {
      // A sanitizer takes fifty times as long.
      for _ in 0..<(slack > 4 ? 10_000 : 300_000) {
        let result = FadingResult(node, ledger) { [weak lists] in lists?.wake() }
        lists.add(result)
        handed.withLock { $0 = result }
      }
      hasEnded.withLock { $0 += 1 }
    }
    Thread.detachNewThread {
      while hasEnded.withLock({ $0 }) == 0 {
        let result = handed.withLock { handed in
          defer { handed = nil }
          return handed
        }
        withExtendedLifetime(result) {}
      }
      hasEnded.withLock { $0 += 1 }
    }
    #expect(comesTrueSoon { hasEnded.withLock { $0 } == 2 })
  }
}

/// Makes more edits while a list fetches than are kept for it.
private func editDuringFetch() throws {
  let office = try GatedOffice(people: ["ann", "bob"])
  let list = try office.list(
    Person.where(Where(format: "employer == nil OR employer.name != ''")))
  try list.settleAndWait()
  let (isHeld, isInside) = (Locked(true), Locked(false))
  office.store.onMoment { moment in
    guard moment == .reading else { return }
    isInside.withLock { $0 = true }
    let end = ContinuousClock.now + .seconds(2 * patience)
    while isHeld.withLock({ $0 }), ContinuousClock.now < end { usleep(1_000) }
  }
  office.coordinator.ledger.othersHaveWritten {}
  #expect(comesTrueSoon { isInside.withLock { $0 } })
  let child = office.child()
  let cid = child.performAndWait { Lent(Person.named("cid", in: $0.context)) }
  for age in 0..<5_000 { child.performAndWait { _ in cid.value.age = age } }
  isHeld.withLock { $0 = false }
  #expect(comesTrueSoon { (try? list.settleAndWait()) != nil })
  #expect(list.names.count == 2)
}

/// A result with whose end something ends that is told of, as a context does that only a list has kept.
private final class FadingResult: LiveResult {
  let node: LedgerNode
  let ledger: ChangeLedger
  private let onEnd: @Sendable () -> Void

  init(_ node: LedgerNode, _ ledger: ChangeLedger, _ end: @escaping @Sendable () -> Void) {
    self.node = node
    self.ledger = ledger
    onEnd = end
  }

  deinit { onEnd() }

  var reading: (reader: Int, watch: LiveWatch?)? { nil }
  var isBehind: Bool { false }
  func stepSoon() {}
  var isUntold: Bool { false }
  func stepHere() {}
  func end() {}
}
