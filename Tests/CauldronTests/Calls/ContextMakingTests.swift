import Cauldron
import Dispatch
import TestSupport
import Testing

/// MagicalRecord's ways of making and using contexts, of saving and of looking up, that have had their
/// counterpart before.
@Suite(.againstHanging) struct ContextMakingTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    let context = bench.child()
    for (name, age) in [("ada", 36), ("bob", 20), ("cyd", 52)] {
      Person.named(name, age: age, in: context)
    }
    try context.saveAndWait(toPersistentStore: true)
  }

  @Test
  func `MR_contextWithStoreCoordinator: and MR_coordinatorWithPersistentStore: see what is saved`()
    throws
  {
    // MR_newPrivateQueueContext
    let context = ManagedObjectContext(.private, coordinator: bench.stack.coordinator)
    #expect(context.parent == nil)
    #expect(context.concurrencyType == .private)
    #expect(try Person.count(in: context) == 3)
  }

  @Test func `MR_newMainQueueContext makes a context on the main queue`() throws {
    let context = ManagedObjectContext(.main, parent: bench.mainContext)
    #expect(context.concurrencyType == .main)
    #expect(try bench.main.sync { try Person.count(in: context) } == 3)
  }

  @Test func `MR_contextWithParent: tells its name by MR_workingName and MR_description`() {
    let context = ManagedObjectContext.contextWithParent(bench.root)
    #expect(context.name == "Untitled Context")
    context.name = "Edit Session"
    #expect(context.description.hasSuffix(": Edit Session>"))
  }

  @Test func `MR_resetDefaultContext forgets what is unsaved`() throws {
    try bench.onMain { main in
      Person.named("dan", in: main)
      main.reset()
      let count = try Person.count(in: main)
      #expect(!main.hasChanges && count == 3)
    }
  }

  @Test func `MR_stopObservingContext: ends with the observation, too`() throws {
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let seen = try #require(try Person.findFirst(\.name, "ada", in: second))
    var following: ContextObservation? = second.mergeSaves(of: first)
    #expect(following != nil)
    following = nil
    try Person.findFirst(\.name, "ada", in: first)?.age = 37
    try first.save()
    #expect(seen.age == 36)
  }

  @Test func `MR_saveOnlySelfWithCompletion: leaves the parent to be saved`() async throws {
    let bench = bench
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    await child.perform { _ = Person.named("dan", in: $0.context) }
    await saved { child.save(toPersistentStore: false, completion: $0) }
    #expect(bench.isDirty(parent))
    // MR_saveToPersistentStoreWithCompletion: saves it, though the child has nothing more.
    await saved { child.save(toPersistentStore: true, completion: $0) }
    #expect(try Person.count(in: bench.committed()) == 4)
  }

  private func saved(
    _ begin: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async {
    let (stream, told) = AsyncStream.makeStream(of: Bool.self)
    begin { saved, _ in told.yield(saved) }
    var answers = stream.makeAsyncIterator()
    #expect(await answers.next() == true)
  }

  @Test func `saveUsingCurrentThreadContextWithBlockAndWait: names its context`() throws {
    // saveUsingCurrentThreadContextWithBlock:completion:
    let context = bench.child()
    try context.saveAndWait { child in Person.named("dan", in: child.context) }
    #expect(try Person.count(in: bench.committed()) == 4)
  }

  @Test
  func `MR_context is a private child of the root, and MR_newContextWithParent: of any other`() {
    let context = ManagedObjectContext.contextWithParent(bench.root)
    #expect(context.parentChain.count == 2)
    #expect(context.concurrencyType == .private)
    #expect(ManagedObjectContext.contextWithParent(context).parent === context)
  }

  @Test func `MR_findAllWithPredicate:, MR_findFirst, MR_minValueFor: and MR_maxValueFor: find`()
    throws
  {
    let context = bench.child()
    #expect(try Person.findFirst(in: context) != nil)
    #expect(try Passport.findFirst(in: context) == nil)
    #expect(try Person.findAll(where: \.age >= 36, in: context).count == 2)
    #expect(try Person.findFirst(sortedBy: \.age, in: context)?.name == "bob")
    #expect(try Person.findFirst(sortedBy: \.age, ascending: false, in: context)?.name == "cyd")
  }

  @Test
  func
    `MR_requestAll, MR_requestAllWithPredicate: and MR_requestFirstByAttribute:withValue: request`()
    throws
  {
    // MR_requestFirstWithPredicate:
    let context = bench.child()
    #expect(try context.fetch(Person.fetchRequest()).count == 3)
    #expect(try context.fetch(Person.fetchRequest(where: \.age >= 36)).count == 2)
    let first = Person.fetchRequest(where: \.name == "bob", limit: 1)
    #expect(try context.fetch(first).map(\.age) == [20])
  }

  @Test func `MR_defaultBatchSize and MR_setDefaultBatchSize: belong to a request`() throws {
    let context = bench.child()
    var request = Person.fetchRequest(sortedBy: \.name)
    #expect(request.fetchBatchSize == 0)
    request.fetchBatchSize = 2
    let people = try context.fetchBatches(request)
    #expect(people.batchSize == 2 && people.count == 3)
    #expect(people[1].name == "bob")
  }

  @Test func `MR_inThreadContext becomes the same object in a context that is named`() throws {
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let ada = try #require(try Person.findFirst(\.name, "ada", in: first))
    let same = ada.in(second)
    #expect(same !== ada)
    #expect(same.objectID == ada.objectID)
    #expect(same.name == "ada")
  }
}
