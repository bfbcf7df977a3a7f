import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Makes one more person when it is told of the first change.
private final class Meddler: FetchedResultsControllerDelegate {
  private(set) var lines: [String] = []
  private var isDone = false

  func controllerWillChangeContent(_ controller: FetchedResultsController<Person>) {
    lines.append("will")
  }

  func controller(
    _ controller: FetchedResultsController<Person>, didChange object: Person, at path: ListPath?,
    for type: FetchedResultsChangeType, newPath: ListPath?
  ) {
    lines.append("\(type) \(object.name) of \(controller.snapshot.count)")
    guard !isDone else { return }
    isDone = true
    Person.named("eve", in: controller.managedObjectContext)
    controller.managedObjectContext.processPendingChanges()
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<Person>) {
    lines.append("did")
  }
}

/// Who shows a list is told of one change after the other.
@Suite(.againstHanging, .ownThread) struct ListClaimTestsTelling {
  private let bench: Bench

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for name in ["ann", "bob", "cid"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func list(
    _ delegate: (any FetchedResultsControllerDelegate<Person>)? = nil
  ) throws -> FetchedResultsController<Person> {
    let list = try bench.onMain { main in
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: main)
      list.delegate = delegate
      try list.performFetchAndWait()
      return list
    }
    try list.settleAndWait()
    return list
  }

  private func insert(_ names: [String]) {
    bench.onMain { main in
      for name in names { Person.named(name, in: main) }
      main.processPendingChanges()
    }
  }

  @Test func `a delegate that changes something is told of that after the change it is told of`()
    throws
  {
    let meddler = Meddler()
    let list = try list(meddler)
    insert(["abe", "abi"])
    #expect(comesTrueSoon { bench.onMain { _ in meddler.lines.filter { $0 == "did" }.count == 2 } })
    let lines = bench.onMain { _ in meddler.lines }
    #expect(
      lines == [
        "will", "insert abe of 5", "insert abi of 5", "did", "will", "insert eve of 6", "did",
      ])
    #expect(list.names.count == 6)
  }

  @Test func `observers are told of states in their order, though one of them changes something`()
    throws
  {
    let list = try list()
    let (first, second) = (Locked<[Int]>([]), Locked<[Int]>([]))
    let replayed = Locked(list.snapshot.objectIDs)
    let texts = Locked<[String]>([])
    let tokens = [
      list.observe { snapshot, _ in
        first.withLock { $0.append(snapshot.count) }
        guard snapshot.count == 4 else { return }
        Person.named("eve", in: list.managedObjectContext)
        list.managedObjectContext.processPendingChanges()
      },
      list.observe { snapshot, difference in
        second.withLock { $0.append(snapshot.count) }
        texts.withLock { $0.append("\(difference)") }
        guard let changes = difference.collectionDifference else { return }
        replayed.withLock { $0 = $0.applying(changes) ?? [] }
      },
    ]
    insert(["abe"])
    #expect(comesTrueSoon { second.withLock { $0.count } == 2 })
    bench.settleMain()
    #expect(first.withLock { $0 } == [4, 5])
    #expect(second.withLock { $0 } == [4, 5])
    #expect(texts.withLock { $0 } == ["1 inserted", "1 inserted"])
    #expect(replayed.withLock { $0 } == list.snapshot.objectIDs)
    withExtendedLifetime(tokens) {}
  }

  @Test func `an observer that another one has cancelled is not called any more`() throws {
    let list = try list()
    let calls = Locked(0)
    let other = Locked<FetchedResultsObservation?>(nil)
    let token = list.observe { _, _ in other.withLock { $0 }?.cancel() }
    other.withLock { $0 = list.observe { _, _ in calls.withLock { $0 += 1 } } }
    insert(["abe"])
    #expect(comesTrueSoon { list.names.count == 4 })
    bench.settleMain()
    #expect(calls.withLock { $0 } == 0)
    withExtendedLifetime(token) {}
  }

  @Test func `objects have the values that belong to their places when the delegate is told`()
    throws
  {
    let diary = ListDiary()
    let list = try list(diary)
    let bob = bench.onMain { _ in Lent(list.object(at: 1)) }
    #expect(bench.onMain { _ in bob.value.name } == "bob")
    let child = bench.child("Edit", of: bench.mainContext)
    let id = list.snapshot.objectID(at: 1)
    let ledger = bench.stack.coordinator.ledger
    ledger.withLock { ledger.journal.wake = nil }
    try bench.mainContext.performAndWait { _ in
      try child.performAndWait { local in
        try #require(try Person.find(id, in: local)).name = "zoe"
      }
      try child.saveAndWait(toPersistentStore: false)
    }
    bench.settleMain()
    try list.settleAndWait()
    #expect(bench.onMain { _ in diary.take() } == ["will 3", "move zoe 0.1 0.2", "did"])
  }
}
