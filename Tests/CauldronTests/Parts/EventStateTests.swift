import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// The state of an event until it ends.
@Suite(.againstHanging) struct EventStateTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let event = EventState()

  init() throws {
    bench = try Bench()
    context = bench.child()
  }

  private func people(_ count: Int) -> [Person] {
    (0..<count).map { Person.named("\($0)", age: 0, in: context) }
  }

  @Test func `only the outermost piece of work begins and ends it`() {
    #expect(event.depth == 0 && !event.isOutermost)
    var begins = [event.enter()]
    #expect(event.isOutermost)
    begins.append(event.enter())
    #expect(!event.isOutermost)
    event.leave()
    #expect(event.isOutermost)
    event.leave()
    begins.append(event.enter())
    #expect(begins == [true, false, true])
  }

  @Test func `what it touched is taken once, in order`() {
    let people = people(3)
    #expect(event.isEmpty)
    for person in people { event.touch(person) }
    #expect(!event.isEmpty)
    let taken = [event.takeObjects(), event.takeObjects()]
    #expect(taken == [people, []] && event.isEmpty)
  }

  @Test func `a refresh alone is something to tell`() {
    let id = people(1)[0].objectID
    event.note(refreshed: id)
    #expect(!event.isEmpty && event.objects.isEmpty)
    let taken = [event.takeRefreshed(), event.takeRefreshed()]
    #expect(taken == [[id], []] && event.isEmpty)
  }

  @Test func `it is not published within its own end, nor where nothing happened`() {
    var begins = [event.beginPublishing()]
    event.touch(people(1)[0])
    begins += [event.beginPublishing(), event.beginPublishing()]
    event.endPublishing()
    begins.append(event.beginPublishing())
    #expect(begins == [false, true, false, true])
  }

  @Test func `deletions are carried on together, those that come meanwhile after them`() {
    let people = people(3)
    for person in people[..<2] { event.delete(person) }
    #expect(event.deletions.count == 2)
    #expect(event.takeDeletions() == Array(people[..<2]) && event.deletions.isEmpty)
    event.delete(people[2])
    #expect(event.takeDeletions() == [people[2]] && event.takeDeletions().isEmpty)
  }

  @Test func `references are noted while deletions are carried on, and then forgotten`() {
    let people = people(2)
    event.noteReference(from: people[0], at: 4, to: people[1])
    #expect(event.referrers == nil)
    event.beginPropagating()
    event.keep(ReferrerIndex())
    event.noteReference(from: people[0], at: 4, to: people[1])
    #expect(event.referrers?.referrers(to: people[1], by: 4) == [people[0]])
    #expect(event.referrers?.referrers(to: people[1], by: 5) == [])
    event.endPropagating()
    #expect(event.referrers == nil && !event.isPropagating)
  }

  @Test func `forgetting the edits leaves what was refreshed`() {
    let people = people(2)
    event.touch(people[0])
    event.delete(people[1])
    event.note(refreshed: people[0].objectID)
    let forgotten = event.forgetEdits()
    #expect(forgotten == people)
    #expect(event.objects.isEmpty && event.deletions.isEmpty && !event.refreshed.isEmpty)
  }

  @Test func `a context that ends with a deletion in its event is freed`() throws {
    weak var core: AnyObject?
    do {
      let context = bench.child()
      core = context.core
      let person = Person.named("x", age: 0, in: context)
      try context.save()
      person.delete()
    }
    #expect(core == nil)
  }
}
