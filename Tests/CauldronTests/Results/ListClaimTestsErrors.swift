import Cauldron
import CauldronMagicalRecord
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// A list that is wrong says so, once, and says no more when it is right again.
@Suite(.againstHanging, .ownThread) struct ListClaimTestsErrors {
  private let bench: Bench
  private let diary = ListDiary()

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for (age, name) in ["ann", "bob", "cid"].enumerated() {
      Person.named(name, age: age, in: maker)
    }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func list(
    _ section: SectionKey<Person>? = nil
  ) throws -> FetchedResultsController<Person> {
    try bench.onMain { main in
      let list = FetchedResultsController(
        ObjectQuery<Person>().sorted(by: \.name), in: main, sectionBy: section)
      list.delegate = diary
      try list.performFetchAndWait()
      return list
    }
  }

  private func code(_ list: FetchedResultsController<Person>) -> CauldronError.Code? {
    (list.error as? CauldronError)?.code
  }

  /// A request of which nothing can be shown.
  private func wrong(_ list: FetchedResultsController<Person>) -> FetchRequest<Person> {
    var request = list.fetchRequest
    request.sortKeys = [SortKey("nme")]
    return request
  }

  /// Whether the list shows what is asked for.
  private func isTrue(_ list: FetchedResultsController<Person>) -> Bool {
    bench.onMain { _ in (try? list.fetchedIDs()) == list.snapshot.objectIDs }
  }

  @Test func `a fetch of a wrong query throws, whatever was shown before`() async throws {
    let list = try list()
    bench.onMain { _ in list.fetchRequest = wrong(list) }
    do {
      try await list.performFetch()
      #expect(isTrue(list))
    } catch let error as CauldronError {
      #expect(error.code == .queryUnknownKey)
    }
    do {
      try bench.onMain { _ in try list.performFetchAndWait() }
      #expect(isTrue(list))
    } catch let error as CauldronError {
      #expect(error.code == .queryUnknownKey)
    }
  }

  @Test func `a fetch after a query that was refused throws, or shows the one before`() async throws
  {
    let list = try list()
    await #expect(throws: CauldronError.self) { try await list.setRequest(wrong(list)) }
    do {
      try await list.performFetch()
      #expect(isTrue(list))
    } catch let error as CauldronError {
      #expect(error.code == .queryUnknownKey)
    }
  }

  @Test func `a wrong query that was set last is what the list tells of`() throws {
    let office = try GatedOffice(people: ["ann", "bob", "cid"])
    let list = try office.list()
    try list.settleAndWait()
    let isHeld = Locked(true)
    office.store.onMoment { moment in
      guard moment == .reading else { return }
      let end = ContinuousClock.now + .seconds(2 * patience)
      while isHeld.withLock({ $0 }), ContinuousClock.now < end { usleep(1_000) }
    }
    office.onMain { _ in
      list.query = Person.where(\.age > 0).sorted(by: \.name)
      list.fetchRequest = wrong(list)
    }
    // The first of them is fetched no sooner than now.
    isHeld.withLock { $0 = false }
    try? list.settleAndWait()
    #expect(code(list) == .queryUnknownKey)
    #expect(list.names == ["ann", "bob", "cid"])
  }

  @Test func `the error is gone when the query is right again`() throws {
    let list = try list()
    let right = list.fetchRequest
    bench.onMain { _ in list.fetchRequest = wrong(list) }
    #expect(comesTrueSoon { code(list) == .queryUnknownKey })
    bench.onMain { _ in list.fetchRequest = right }
    #expect(comesTrueSoon { list.error == nil })
    #expect(list.names == ["ann", "bob", "cid"])
  }

  @Test func `the error is gone when what could not be read can be read again`() throws {
    let office = try GatedOffice(people: ["ann", "bob"])
    let list = try office.list(
      Person.where(Where(format: "employer == nil OR employer.name != ''")))
    try list.settleAndWait()
    let isBroken = Locked(true)
    office.store.onMoment { moment in
      if moment == .pinned, isBroken.withLock({ $0 }) {
        throw CauldronError(.storeBusy, "Locked by a test.")
      }
    }
    // Something that may matter, and does not.
    let child = office.child("Edit", of: office.main)
    child.performAndWait { local in
      _ = Person.named("dan", at: Company.named("", in: local.context), in: local.context)
    }
    try child.saveAndWait(toPersistentStore: false)
    #expect(comesTrueSoon { code(list) == .storeBusy })
    isBroken.withLock { $0 = false }
    try list.settleAndWait()
    #expect(list.names.count == 2)
    #expect(comesTrueSoon { list.error == nil })
  }

  @Test func `an error that lasts is told once, not with each change of anything`() throws {
    let list = try list(.custom(of: \.name) { $0.contains("z") ? "x" : "y" })
    bench.onMain { main in
      list.object(at: 1).name = "bzb"
      main.processPendingChanges()
    }
    #expect(comesTrueSoon { bench.onMain { _ in diary.lines.contains { $0.hasPrefix("fail") } } })
    usleep(50_000)
    bench.settleMain()
    _ = bench.onMain { _ in diary.take() }
    for number in 0..<10 {
      bench.onMain { main in
        _ = Company.named("\(number)", in: main)
        main.processPendingChanges()
      }
      usleep(20_000)
    }
    bench.settleMain()
    #expect(bench.onMain { _ in diary.take() } == [])
    #expect(list.error != nil)
  }

  @Test func `an error stays while the list waits to try again`() throws {
    let office = try GatedOffice(people: ["ann", "bob", "cid"])
    office.store.onMoment { if $0 == .reading { usleep(100_000) } }
    let list = try office.onMain { main in
      try Person.fetchAll(
        sortedBy: \.name, groupedBy: .custom(of: \.name) { $0.contains("z") ? "x" : "y" }, in: main)
    }
    office.onMain { main in
      list.object(at: 1).name = "bzb"
      main.processPendingChanges()
    }
    #expect(comesTrueSoon { list.error != nil })
    // Until it tries again it waits four times as long as that took.
    let isLost = office.onMain { main in
      list.object(at: 0).age += 1
      main.processPendingChanges()
      return comesTrueSoon(within: 0.3) { list.error == nil }
    }
    #expect(!isLost)
    #expect(comesTrueSoon { list.error != nil })
  }

  @Test func `who asks on after the store was closed gets no state, and does not wait`()
    async throws
  {
    let (stack, main) = (bench.stack, bench.mainContext)
    let isClosed = Locked(false)
    let result = await answer {
      var states = main.updates(for: ObjectQuery<Person>().request).makeAsyncIterator()
      _ = try await states.next()
      try stack.close()
      _ = try? await states.next()
      isClosed.withLock { $0 = true }
      return try await states.next() == nil
    }
    #expect(isClosed.withLock { $0 })
    #expect(result != nil, "it waits for ever")
  }
}
