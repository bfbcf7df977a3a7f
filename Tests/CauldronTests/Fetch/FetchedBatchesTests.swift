import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import TestSupport
import Testing

/// Objects whose rows are read a batch at a time.
@Suite(.againstHanging) struct FetchedBatchesTests {
  private let file: CountedFile
  private let context: ManagedObjectContext
  private static let count = 95

  init() throws {
    file = try CountedFile(Office.model())
    let filling = file.context("Filling")
    for age in 0..<Self.count { Person.named("p", age: age, in: filling) }
    try filling.saveAndWait(toPersistentStore: true)
    context = file.context("Reader")
  }

  private var youngest: ObjectQuery<Person> { Person.where(\.age >= 0).sorted(by: \.age) }

  @Test func `a walk takes a statement for each batch, and rows that are not looked at none`()
    throws
  {
    let fetching = try file.store.tally { try youngest.batches(of: 20, in: context) }
    #expect(fetching.asked.calls == 1 && fetching.answer.count == Self.count)
    let people = fetching.answer
    let first = file.store.tally { people[45].age }
    #expect(first.answer == 45 && first.asked.calls == 1 && first.asked.rows == 20)
    #expect(file.store.tally { people[40].age + people[59].age }.asked.calls == 0)
    let walk = file.store.tally { people.map(\.age) }
    #expect(walk.answer == Array(0..<Self.count))
    // The batch in the middle was read, and its objects may have gone since.
    #expect(4...5 ~= walk.asked.calls && walk.asked.rows <= Self.count)
    #expect(file.store.tally { people.reversed().first?.age }.answer == Self.count - 1)
  }

  @Test func `a child reads in batches, with what is unsaved above it`() throws {
    let third = try #require(try youngest.offset(3).first(in: context))
    third.name = "changed"
    Person.named("new", age: 1_000, in: context)
    context.processPendingChanges()
    let child = ManagedObjectContext(.private, parent: context, name: "Child")
    try child.performAndWait { child in
      let fetching = try file.store.tally { try youngest.batches(of: 50, in: child) }
      #expect(fetching.answer.count == Self.count + 1)
      let read = file.store.tally { fetching.answer[0].name }
      #expect(read.answer == "p")
      // The rows of the batch, and what its change is laid over.
      #expect(read.asked.rows <= 52)
      #expect(fetching.answer[3].name == "changed")
      #expect(fetching.answer.last?.name == "new")
    }
  }

  @Test func `objects that the context has stay as they are, and the deleted are gone`() throws {
    let people = try youngest.batches(of: 10, in: context)
    let held = try #require(try youngest.offset(2).first(in: context))
    held.name = "mine"
    let other = ManagedObjectContext(
      .private, coordinator: context.persistentStoreCoordinator, name: "Other")
    other.delete(try #require(try youngest.offset(1).first(in: other)))
    try other.saveAndWait(toPersistentStore: true)
    #expect(people[2] === held && people[2].name == "mine")
    #expect(throws: CauldronError.self) { try people[1].load() }
    #expect(people[0].age == 0 && people.count == Self.count)
    #expect(people.objectID(at: 2) == held.objectID)
  }

  @Test func `a batch without a size has one of the library's, and a negative one is refused`()
    throws
  {
    var request = youngest.request
    #expect(try context.fetchBatches(request).batchSize == 100)
    request.fetchBatchSize = -1
    let error = cauldronError { _ = try context.fetchBatches(request) }
    #expect(error?.code == .queryUnsupported)
    #expect(error?.message == "Person: a fetch cannot have the batch size -1.")
    #expect(try youngest.where(\.age < 0).batches(in: context).isEmpty)
  }
}
