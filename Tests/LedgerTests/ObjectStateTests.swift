import CauldronModel
import CauldronStore
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

@Suite("States of an object")
struct ObjectStateTests {
  /// A state after moves.
  private func state(
    _ start: ObjectState = .shown, _ moves: (inout ObjectState) -> Void...
  ) -> ObjectState {
    var state = start
    for move in moves { move(&state) }
    return state
  }

  private var edited: ObjectState {
    state(.shown, { $0.becomeEdited() }, { $0.beginWriting() }, { $0.enterEvent() })
  }

  @Test func `a fault is alive, and neither shown nor unsaved`() {
    let fault = ObjectState.fault
    #expect(fault.isFault && fault.isAlive && fault.isClean && fault.isUntouched)
    #expect(!fault.isShown && !fault.isShownAlive && !fault.hasRow && !fault.isUnsaved)
  }

  @Test func `a new object is saved by an insertion, and is new alone once it is published`() {
    var new = ObjectState.new
    #expect(new.isNew && new.isWritable && new.isInEvent && new.isUnsaved && !new.isNewAlone)
    #expect(new.unsavedKind == .insertion && new.validatedKind == .insertion)
    new.publish()
    #expect(new.isNewAlone && !new.isWritable && !new.isInEvent)
    _ = new.list()
    new.settle()
    #expect(new == .shown)
  }

  @Test func `an edit is an update until it is saved or ends where it began`() {
    var saved = state(edited, { $0.publish() }, { _ = $0.list() })
    #expect(saved.unsavedKind == .update && saved.hasOwnChanges && !saved.isUntouched)
    saved.settle()
    #expect(saved == .shown)
    #expect(state(edited, { $0.publish() }, { $0.endEdit() }) == .shown)
    #expect(state(edited, { $0.publish() }, { $0.cancelEdits() }) == .shown)
  }

  @Test func `a deletion dooms the object, and its save makes it gone`() {
    var doomed = state(.shown, { $0.becomeDeleted() }, { $0.enterEvent() }, { $0.publish() })
    #expect(doomed.isDoomed && !doomed.isAlive && doomed.isShown && !doomed.isShownAlive)
    #expect(doomed.unsavedKind == .deletion && doomed.validatedKind == .deletion)
    doomed.settle()
    #expect(doomed.isGone && !doomed.isDeleted && !doomed.isDoomed && !doomed.isUnsaved)
  }

  @Test func `an object that was created and deleted validates its deletion alone`() {
    let both = state(.new, { $0.becomeDeleted() })
    #expect(both.unsavedKind == nil)
    #expect(both.validatedKind == .deletion)
  }

  @Test func `a vanished object is not doomed, and comes back without edits of old events`() {
    var gone = state(edited, { $0.publish() }, { $0.vanish() })
    #expect(gone.isGone && gone.isDeleted && !gone.isDoomed && !gone.isAlive)
    gone.revive()
    #expect(gone == .shown)
    var inEvent = state(edited, { $0.vanish() })
    inEvent.revive()
    #expect(inEvent == edited)
  }

  @Test func `an object whose refused edits return keeps them`() {
    let edit = state(edited, { $0.publish() })
    #expect(state(edit, { $0.vanish() }, { $0.returnWithEdits() }) == edit)
  }

  @Test func `refused changes are unsaved again, and a refused deletion dooms a gone object`() {
    #expect(state(.shown, { $0.becomeUnsaved(.insertion) }).isNew)
    #expect(state(.shown, { $0.becomeUnsaved(.update) }).isEdited)
    #expect(state(.shown, { $0.becomeGone() }, { $0.becomeUnsaved(.deletion) }).isDoomed)
  }

  @Test func `an unread object is no fault, and an unknown one is looked up at each access`() {
    let unread = state(.fault, { $0.becomeUnread() })
    #expect(unread.isUnread && !unread.isFault && unread.hasRow && !unread.isShown)
    let unknown = state(.fault, { $0.becomeUnknown() })
    #expect(unknown.isUnread && unknown.isFault && unknown.mustFire)
    #expect(state(unknown, { $0.becomeRead() }) == .shown)
    #expect(state(unread, { $0.endUnread() }) == .shown)
  }

  @Test func `a fault that becomes a new object keeps what the context lists and observes`() {
    let unknown = state(.fault, { $0.becomeUnknown() })
    #expect(state(unknown, { $0.becomeNew() }) == .new)
    let known = state(
      edited, { _ = $0.list() }, { _ = $0.beginObserved() }, { $0.becomeFault() },
      { _ = $0.beginObserved() }, { $0.becomeNew() })
    #expect(known.isListed && known.isObserved && known.isNew && !known.isFault)
  }

  @Test func `a fault that was made of a listed object is listed and has nothing to save`() {
    let fault = state(edited, { _ = $0.list() }, { $0.becomeFault() })
    #expect(fault.isListed && fault.isFault && !fault.isUnsaved && !fault.isInEvent)
    #expect(state(edited, { $0.becomeFault() }) == .fault)
  }

  @Test func `an object that is gone is looked up again, and one that is there is not`() {
    #expect(state(.missing, { $0.lookAgain() }).isFault)
    #expect(state(.shown, { $0.lookAgain() }) == .shown)
  }

  @Test func `a rollback leaves a saved object clean and a new one gone`() {
    let doomed = state(edited, { $0.becomeDeleted() }, { _ = $0.list() }, { $0.rollBack() })
    #expect(doomed == .shown)
    #expect(state(.new, { $0.rollBackCreation() }) == .missing)
  }

  @Test func `a new object that is a saved one keeps its deletion or edits nothing`() {
    let deleted = state(.new, { $0.endCreation() }, { $0.becomeDeleted() })
    #expect(deleted.isDoomed && deleted.unsavedKind == .deletion)
    #expect(state(.new, { $0.cancelCreation() }) == .shown)
    let merged = state(.new, { $0.endWriting() }, { $0.mergeIntoOther() })
    #expect(merged.isGone && !merged.isUnsaved && !merged.isInEvent)
    #expect(state(.shown, { $0.takeOverChanges() }).unsavedKind == .update)
    #expect(state(.shown, { $0.takeOverChanges() }).isListed)
  }

  @Test func `a link without its changes is gone`() {
    let link = state(.new, { $0.publish() }, { $0.cancelChanges() })
    #expect(link.isGone && !link.isUnsaved && link.isClean)
    #expect(state(.new, { $0.becomeDeleted() }, { $0.takeDeletionBack() }) == .new)
  }

  @Test func `an edit enters the event but for deleted, gone and stand-in objects`() {
    #expect(ObjectState.shown.entersEventWhenEdited && ObjectState.fault.entersEventWhenEdited)
    for state in [edited, .missing, .standIn, state(.shown, { $0.becomeDeleted() })] {
      #expect(!state.entersEventWhenEdited)
    }
  }

  @Test func `a write is prepared for observed and shared objects, a read for faults`() {
    #expect(ObjectState.shown.mustPrepareWrite && !ObjectState.shown.mustFire)
    let writable = state(.shown, { $0.beginWriting() })
    #expect(!writable.mustPrepareWrite)
    #expect(state(writable, { _ = $0.beginObserved() }).mustPrepareWrite)
    #expect(state(writable, { _ = $0.beginObserved() }, { $0.endObserved() }) == writable)
    #expect(ObjectState.fault.mustFire && ObjectState.fault.mustAwake)
    #expect(!ObjectState.shown.mustAwake)
    let asleep = state(.shown, { $0.fallAsleep() })
    #expect(asleep.mustAwake && !asleep.mustFire && asleep.isShown)
    #expect(state(asleep, { $0.awake() }) == .shown)
  }

  @Test func `an object that is being saved is not clean until that is over`() {
    let saving = state(.shown, { $0.beginSaving() })
    #expect(saving.isSaving && !saving.isClean && saving.isUntouched)
    #expect(state(saving, { $0.endSaving() }) == .shown)
  }

  @Test func `lists and observers are told whether the object is new to them`() {
    var object = ObjectState.shown
    let answers = [
      object.list(), object.list(), object.beginObserved(), object.beginObserved(),
    ]
    #expect(answers == [true, false, true, false])
  }

  @Test func `untracked values are set between two moves, and are no edit`() {
    let untracked = state(.shown, { $0.beginUntracked() })
    #expect(untracked.isUntracked && untracked.isUntouched && !untracked.isUnsaved)
    #expect(state(untracked, { $0.endUntracked() }) == .shown)
  }
}
