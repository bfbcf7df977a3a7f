import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// How edits begin.
@Suite(.againstHanging) struct DraftsTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let event = EventState()
  private let drafts: Drafts

  init() throws {
    bench = try Bench()
    context = bench.child()
    let core = context.core
    drafts = Drafts(
      place: core.place, settings: core.settings, ownership: core.ownership, event: event)
  }

  @Test func `an object that is touched is on the list of the event`() {
    let person = Person.named("x", age: 0, in: context)
    #expect(event.objects == [])
    drafts.touch(person)
    #expect(event.objects == [person])
  }

  @Test func `references of unsaved objects are found, and anew when they were forgotten`() {
    let company = Company.named("acme", in: context)
    let person = Person.named("x", age: 0, in: context)
    person.employer = company
    drafts.touch(person)
    #expect(drafts.unsavedReferrers(to: company) == [person])
    let other = Person.named("y", age: 0, in: context)
    other.employer = company
    #expect(drafts.unsavedReferrers(to: company) == [person])
    drafts.touch(other)
    #expect(Set(drafts.unsavedReferrers(to: company)) == [person, other])
    drafts.forgetReferences()
    #expect(drafts.pending.references == nil)
    #expect(Set(drafts.unsavedReferrers(to: company)) == [person, other])
  }

  @Test func `edits can be undone where registration is there and not disabled`() {
    #expect(!drafts.isUndone)
    let registration = UndoRegistration()
    drafts.undoRegistration = registration
    #expect(drafts.isUndone)
    registration.disablings = 1
    #expect(!drafts.isUndone)
  }
}
