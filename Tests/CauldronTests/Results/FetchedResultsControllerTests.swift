import Cauldron
import Foundation
import Logging
import Observation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What a delegate is told, as text.
final class ListDiary: FetchedResultsControllerDelegate {
  private(set) var lines: [String] = []

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  func controllerWillChangeContent(_ controller: FetchedResultsController<Person>) {
    lines.append("will \(controller.snapshot.count)")
  }

  func controller(
    _ controller: FetchedResultsController<Person>, didChange section: FetchedResultsSection,
    atSectionIndex number: Int, for type: FetchedResultsChangeType
  ) {
    lines.append("\(type) section \(number) \(section.name) of \(section.numberOfObjects)")
  }

  func controller(
    _ controller: FetchedResultsController<Person>, didChange object: Person, at path: ListPath?,
    for type: FetchedResultsChangeType, newPath: ListPath?
  ) {
    func text(_ path: ListPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }
    lines.append("\(type) \(object.name) \(text(path)) \(text(newPath))")
  }

  func controllerDidReloadContent(_ controller: FetchedResultsController<Person>) {
    lines.append("reload")
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<Person>) {
    lines.append("did")
  }

  func controller(
    _ controller: FetchedResultsController<Person>, didFail error: any Error
  ) { lines.append("fail \((error as? CauldronError)?.code.rawValue ?? "")") }
}

/// A delegate as Core Data has it: it knows no reload.
private final class RowDiary: FetchedResultsControllerDelegate {
  private(set) var changes = 0

  func controllerDidChangeContent(_ controller: FetchedResultsController<Person>) { changes += 1 }
}

@Suite(.againstHanging, .ownThread) struct FetchedResultsControllerTests {
  private let bench: Bench

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for (name, age) in [("ann", 10), ("bob", 20), ("cid", 30)] {
      Person.named(name, age: age, in: maker)
    }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func list(
    _ query: ObjectQuery<Person> = ObjectQuery().sorted(by: \.name),
    _ section: SectionKey<Person>? = nil, _ delegate: ListDiary? = nil
  ) throws -> FetchedResultsController<Person> {
    try bench.onMain { main in
      let list = FetchedResultsController(query, in: main, sectionBy: section)
      list.delegate = delegate
      try list.performFetchAndWait()
      return list
    }
  }

  private func names(_ list: FetchedResultsController<Person>) -> [String] {
    list.snapshot.values(of: \.name)
  }

  @Test func `a reload that the delegate is not told of is logged once for each list`() throws {
    let (rows, diary) = (RowDiary(), ListDiary())
    let list = try list()
    let heard = try self.list(.init().sorted(by: \.name), nil, diary)
    bench.onMain { _ in list.delegate = rows }
    for (count, key) in ["age", "email", "name"].enumerated() {
      for list in [list, heard] {
        bench.onMain { _ in list.fetchRequest.sortKeys = [SortKey(key, ascending: false)] }
        try list.settleAndWait()
      }
      #expect(comesTrue { bench.onMain { _ in rows.changes == count + 1 } })
    }
    #expect(bench.onMain { _ in diary.lines.contains("reload") })
    let lines = bench.log.lines.filter { $0.message.contains("controllerDidReloadContent(_:)") }
    #expect(lines.map(\.level) == [.notice])
    #expect(lines.first?.metadata["context"] == "Default Context")
    #expect(lines.first?.message.hasPrefix("A list of Person was reloaded") == true)
  }

  /// Has nobody else step, so that only the owner's thread does.
  private func stepHereAlone() {
    let ledger = bench.stack.coordinator.ledger
    ledger.withLock { ledger.journal.wake = nil }
  }

  private func comesTrue(_ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(10 * slack)
    while ContinuousClock.now < end {
      if try isTrue() { return true }
      usleep(2_000)
    }
    return false
  }

  @Test func `own edits are in the list when pending changes have been processed`() throws {
    let diary = ListDiary()
    let list = try list(.init().sorted(by: \.name), nil, diary)
    try list.settleAndWait()
    stepHereAlone()
    bench.onMain { main in
      Person.named("abe", in: main)
      #expect(names(list) == ["ann", "bob", "cid"])
      main.processPendingChanges()
      #expect(names(list) == ["abe", "ann", "bob", "cid"])
      #expect(diary.take() == ["will 4", "insert abe - 0.0", "did"])
      list.object(at: 1).name = "zoe"
      main.processPendingChanges()
      #expect(names(list) == ["abe", "bob", "cid", "zoe"])
      #expect(diary.take() == ["will 4", "move zoe 0.1 0.3", "did"])
      list.object(at: 3).age = 99
      let bob = list.object(at: 1)
      bob.delete()
      main.processPendingChanges()
      #expect(diary.take() == ["will 3", "delete bob 0.1 -", "update zoe 0.3 0.2", "did"])
    }
  }

  @Test func `sections come before objects, and what goes from behind`() throws {
    let diary = ListDiary()
    let list = try list(.init().sorted(by: \.age), .firstLetter(of: \.name), diary)
    #expect(list.sections.map(\.name) == ["A", "B", "C"])
    #expect(list.sectionIndexTitles == ["A", "B", "C"])
    bench.onMain { main in
      list.object(at: ListPath(section: 2, item: 0)).name = "Änn"
      list.object(at: ListPath(section: 1, item: 0)).delete()
      Person.named("dan", in: main)
      main.processPendingChanges()
    }
    try list.settleAndWait()
    #expect(
      diary.take() == [
        "will 3", "delete section 2 C of 0", "delete section 1 B of 0", "insert section 1 D of 1",
        "delete bob 1.0 -", "insert dan - 1.0", "move Änn 2.0 0.1", "did",
      ])
    #expect(list.sections.map(\.name) == ["A", "D"])
    let person = bench.onMain { _ in
      let person = list.object(at: ListPath(section: 0, item: 1))
      #expect(list.indexPath(forObject: person) == ListPath(section: 0, item: 1))
      return person.name
    }
    #expect(person == "Änn")
  }

  @Test func `a child's save and another context's commit arrive by themselves`() throws {
    let list = try list()
    let child = bench.child("Edit", of: bench.mainContext)
    child.performAndWait { _ = Person.named("dan", in: $0.context) }
    _ = try child.saveAndWait(toPersistentStore: false)
    #expect(comesTrue { names(list) == ["ann", "bob", "cid", "dan"] })
    let sibling = bench.child("Import")
    sibling.performAndWait { _ = Person.named("eve", in: $0.context) }
    _ = try sibling.saveAndWait(toPersistentStore: true)
    #expect(comesTrue { names(list).last == "eve" })
    bench.onMain { main in main.rollback() }
    #expect(comesTrue { names(list) == ["ann", "bob", "cid", "eve"] })
  }

  @Test func `what another program commits arrives without a fetch`() throws {
    let list = try list()
    let other = OtherProgram(bench)
    let id = list.snapshot.objectID(at: 0)
    #expect(other.change(id, "ZNAME = 'yan'"))
    #expect(comesTrue { names(list) == ["bob", "cid", "yan"] })
    #expect(other.delete(id))
    #expect(comesTrue { names(list) == ["bob", "cid"] })
  }

  @Test func `another query replaces the list as one change, and a wrong one leaves it`() throws {
    let diary = ListDiary()
    let list = try list(.init().sorted(by: \.name), nil, diary)
    bench.onMain { _ in list.query = Person.where(\.age > 10).sorted(by: \.name) }
    #expect(comesTrue { names(list) == ["bob", "cid"] })
    #expect(comesTrue { bench.onMain { _ in diary.lines.last == "did" } })
    #expect(bench.onMain { _ in diary.take() } == ["will 2", "delete ann 0.0 -", "did"])
    bench.onMain { _ in list.query = Person.where(\.age > 10).sorted(by: \.age, ascending: false) }
    #expect(comesTrue { names(list) == ["cid", "bob"] })
    #expect(comesTrue { bench.onMain { _ in diary.lines == ["will 2", "reload", "did"] } })
    bench.onMain { _ in list.fetchRequest.sortKeys = [SortKey("nme")] }
    #expect(comesTrue { bench.onMain { _ in diary.lines.last == "fail query.unknownKey" } })
    #expect(names(list) == ["cid", "bob"])
    #expect((list.error as? CauldronError)?.code == .queryUnknownKey)
  }

  @Test func `a limit holds whatever is inserted`() throws {
    let list = try list(ObjectQuery().sorted(by: \.name).limit(2))
    try list.settleAndWait()
    stepHereAlone()
    bench.onMain { main in
      Person.named("abe", in: main)
      main.processPendingChanges()
      #expect(names(list) == ["abe", "ann"])
      list.object(at: 0).delete()
      list.object(at: 1).delete()
    }
    try list.settleAndWait()
    #expect(names(list) == ["bob", "cid"])
  }

  @Test func `sections whose names come again are refused, and both are named`() throws {
    #expect {
      _ = try list(
        ObjectQuery().sorted(by: \.name), .custom(of: \.name) { $0 == "bob" ? "x" : "y" })
    } throws: { error in
      "\(error)".contains("\"y\"") && "\(error)".contains("\"x\"")
    }
    #expect(throws: CauldronError.self) { try list(.init(), .firstLetter(of: \.age)) }
    #expect(throws: CauldronError.self) { try list(.init(), .day(of: \.name)) }
  }

  @Test func `a list of a closed stack says so`() throws {
    let list = try list()
    try bench.stack.close()
    let error = #expect(throws: CauldronError.self) {
      try bench.onMain { _ in try list.performFetchAndWait() }
    }
    #expect(error?.code == .stackClosed)
  }

  @Test func `states come one after the other to who asks, and the first one at once`() async throws
  {
    var states = bench.mainContext.updates(
      for: ObjectQuery<Person>().sorted(by: \.name).request
    ).makeAsyncIterator()
    let first = try #require(try await states.next())
    #expect(first.difference.isReload)
    #expect(first.snapshot.count == 3)
    let child = bench.child()
    await child.perform { context in
      for name in ["abe", "zoe"] { Person.named(name, in: context.context) }
    }
    try await child.save(toPersistentStore: true)
    let second = try #require(try await states.next())
    #expect(second.difference.insertions.map(\.place) == [0, 4])
    #expect(first.snapshot.count == 3)
    #expect(second.snapshot.value(of: \.name, at: 4) == "zoe")
    var counts = Person.where(\.age > 10).counts(in: bench.mainContext).makeAsyncIterator()
    #expect(try await counts.next() == 2)
  }

  @Test func `who observes the list is told before it changes`() throws {
    let list = try list()
    let told = Locked(0)
    try list.settleAndWait()
    stepHereAlone()
    bench.onMain { main in
      withObservationTracking {
        _ = list.snapshot.count
      } onChange: {
        told.withLock { $0 += 1 }
      }
      Person.named("dan", in: main)
      main.processPendingChanges()
    }
    #expect(told.withLock { $0 } == 1)
  }

  @Test func `a list that nobody holds is forgotten, and the journal with it`() throws {
    weak var known: FetchedResultsController<Person>?
    do {
      let list = try list()
      known = list
    }
    bench.settleMain()
    #expect(comesTrue { known == nil })
    let ledger = bench.stack.coordinator.ledger
    #expect(comesTrue { ledger.withLock { !ledger.journal.isActive } })
  }
}
