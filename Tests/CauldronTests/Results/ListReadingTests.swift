import Cauldron
import Foundation
import Observation
import TestSupport
import Testing

/// What a list tells of how it is read: to whom it shows, when its delegate is called, what it refuses.
@Suite(.againstHanging, .ownThread) struct ListReadingTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    let maker = bench.child()
    for (name, age) in [("ann", 10), ("bob", 20)] { Person.named(name, age: age, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func list(
    _ section: SectionKey<Person>? = nil
  ) -> FetchedResultsController<Person> {
    FetchedResultsController(
      ObjectQuery<Person>().sorted(by: \.name), in: bench.mainContext, sectionBy: section)
  }

  /// Whether who has read the list is told when something changes it.
  private func isTold(
    of change: (ManagedObjectContext) throws -> Void, afterReading read: () -> Void
  ) rethrows -> Bool {
    let isTold = Locked(false)
    try bench.onMain { main in
      withObservationTracking(read) { isTold.withLock { $0 = true } }
      try change(main)
    }
    bench.settleMain()
    return isTold.withLock { $0 }
  }

  @Test func `who has asked for the objects before the first fetch is told of it`() throws {
    let list = list()
    let isTold = try isTold { _ in
      try list.performFetchAndWait()
    } afterReading: {
      #expect(list.fetchedObjects == nil)
    }
    #expect(isTold)
    #expect(bench.onMain { _ in list.fetchedObjects?.map(\.name) } == ["ann", "bob"])
  }

  typealias Read = @Sendable (FetchedResultsController<Person>) -> Void
  static let reads: [(String, Read)] = [
    ("fetchedObjects", { _ = $0.fetchedObjects }),
    ("sections", { _ = $0.sections }),
    ("object(at:)", { _ = $0.object(at: 0) }),
    ("object(at:) by path", { _ = $0.object(at: ListPath(section: 0, item: 1)) }),
    ("objects(in:)", { _ = $0.objects(in: 0..<1) }),
  ]

  @Test(arguments: reads.indices)
  func `whatever is read of a list, who has read it is told of a change`(_ number: Int) throws {
    let (name, read) = Self.reads[number]
    let list = list()
    try bench.onMain { _ in try list.performFetchAndWait() }
    let isTold = try isTold { main in
      Person.named("abe", in: main)
      main.processPendingChanges()
      try list.performFetchAndWait()
    } afterReading: {
      read(list)
    }
    #expect(isTold, "\(name)")
  }

  @Test func `who has asked where an object is is told when it moves`() throws {
    let list = list()
    let bob = try bench.onMain { _ in
      try list.performFetchAndWait()
      return list.object(at: 1)
    }
    let isTold = try isTold { main in
      bob.name = "abe"
      main.processPendingChanges()
      try list.performFetchAndWait()
    } afterReading: {
      #expect(list.path(forObject: bob) == ListPath(section: 0, item: 1))
    }
    #expect(isTold)
    #expect(bench.onMain { _ in list.path(forObject: bob) } == ListPath(section: 0, item: 0))
  }

  @Test func `the delegate is not called for the first result, and for a later fetch it is`()
    async throws
  {
    let list = list()
    let diary = ListDiary()
    bench.onMain { _ in list.delegate = diary }
    try await list.performFetch()
    #expect(bench.onMain { _ in diary.take() } == [])
    try await list.performFetch()
    #expect(bench.onMain { _ in diary.take() } == [])
    bench.onMain { _ in list.query = Person.where(\.age > 10).sorted(by: \.name) }
    try await list.performFetch()
    #expect(bench.onMain { _ in diary.take() } == ["will 1", "delete ann 0.0 -", "did"])
  }

  @Test func `a later fetch returns when observers of the list have been told, however slow`()
    async throws
  {
    let list = list()
    try await list.performFetch()
    let told = Locked(0)
    let token = list.observe { snapshot, _ in
      usleep(20_000)
      told.withLock { $0 = snapshot.count }
    }
    for number in 0..<20 {
      let least = number.isMultiple(of: 2) ? 10 : 0
      try await list.setRequest(Person.where(\.age > least).request)
      #expect(told.withLock { $0 } == (least == 10 ? 1 : 2))
    }
    withExtendedLifetime(token) {}
  }

  @Test func `an unknown time zone is an error and no other day`() async throws {
    for section in [
      SectionKey<Person>.day("birthday", timeZone: "Europe/Berln"),
      .month("birthday", timeZone: "Europe/Berln"),
    ] {
      let list = list(section)
      let error = await #expect(throws: CauldronError.self) { try await list.performFetch() }
      #expect(error?.code == .queryUnsupported)
      #expect(error?.description.contains("\"Europe/Berln\"") == true)
      #expect(error?.description.contains("\n") == false)
      #expect(list.snapshot.isEmpty)
    }
    let known = list(.day("birthday", timeZone: "Europe/Berlin"))
    try await known.performFetch()
    #expect(known.snapshot.count == 2)
  }

  @Test func `a number has no days`() async throws {
    let list = FetchedResultsController(
      ObjectQuery<Company>(), in: bench.mainContext, sectionBy: .day(of: \.rating))
    let error = await #expect(throws: CauldronError.self) { try await list.performFetch() }
    #expect(error?.code == .queryTypeMismatch)
    let text = "Cannot make sections of Company by the day of \"rating\", which is no date."
    #expect(error?.message == text)
  }

  @Test func `a snapshot that is kept names an object by the ID that it has now`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let list = FetchedResultsController(ObjectQuery<Person>(), in: context)
    let (jack, old, snapshot) = try context.performAndWait { local in
      let jack = Person.named("jack", in: local.context)
      try list.performFetchAndWait()
      return (jack, jack.objectID, list.snapshot)
    }
    #expect(snapshot.objectIDs == [old])
    _ = try context.saveAndWait(toPersistentStore: true)
    let new = context.performAndWait { _ in jack.objectID }
    #expect(new != old)
    #expect(snapshot.objectIDs == [new] && snapshot.objectID(at: 0) == new)
    #expect(snapshot.index(of: old) == 0)
    #expect(snapshot.value(of: \.name, at: 0) == "jack")
  }
}
