import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Logging
import TestSupport
import Testing

/// The answer of a save is the truth about its own changes, whatever fails beside or after them.
@Suite(.againstHanging) struct AnswerTests {
  @Test func `an edit of what a save had made of another, and did not write, is a conflict`() throws
  {
    let place = try Place()
    let (mine, later) = (place.child("mine"), place.child("later"))
    let beside = ManagedObjectContext(.private, coordinator: place.mine, name: "beside")
    try place.edit(0, in: mine, 90)
    try mine.saveAndWait(
      toPersistentStore: false, mergePolicy: .mergeByPropertyStoreTrump)
    // The root's save puts 90 on top of this row, and then meets a third one in the store.
    try beside.performAndWait { local in
      try local.context.account(place.ids[0]).mark = 1
      try local.save()
    }
    place.store.beforeNextSave {
      try later.performAndWait { try $0.context.account(place.ids[0]).balance -= 10 }
      try beside.performAndWait { local in
        try local.context.account(place.ids[0]).balance = 50
        try local.save()
      }
    }
    try place.root.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [50, 100])
    let error = #expect(throws: CauldronError.self) {
      try later.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .saveConflict)
    #expect(try place.stored() == [50, 100])
  }

  @Test func `what is on disk was saved, whatever fails afterwards`() throws {
    let place = try Place()
    let (a, b) = (place.child("a"), place.child("b"))
    try place.edit(0, in: b, 7)
    try b.performAndWait { try $0.save() }
    try place.theyWrite(0, 50)
    try place.edit(1, in: a, 8)
    // The first round writes what a has saved; what b has met is tried once more, in vain.
    place.store.fail(2)
    let outcome = try a.saveAndWait(toPersistentStore: true)
    guard case .saved = outcome else { throw NoAccount() }
    #expect(try place.stored() == [50, 8])
    #expect(!a.performAndWait { $0.hasChanges })
  }

  @Test func `what is not on disk was not saved, and is where it was made`() throws {
    let place = try Place()
    let (a, b) = (place.child("a"), place.child("b"))
    try place.edit(0, in: b, 7)
    try b.performAndWait { try $0.save() }
    try place.edit(1, in: a, 8)
    place.store.fail(1)
    let error = #expect(throws: CauldronError.self) { try a.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .storeBusy)
    #expect(try place.stored() == [100, 100])
    #expect(a.performAndWait { $0.hasChanges })
    // Others' saves carry what they have accepted, and nothing that was refused.
    try place.root.performAndWait { try $0.save() }
    #expect(try place.stored() == [7, 100])
    try a.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [7, 8])
  }

  @Test func `a refused save block leaves nothing behind`() throws {
    let place = try Place()
    do {
      let block = place.child("block")
      try place.edit(0, in: block, 7)
      place.store.fail(1)
      #expect(throws: CauldronError.self) { try block.saveAndWait(toPersistentStore: true) }
    }
    let next = place.child("next")
    try place.edit(1, in: next, 8)
    try next.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [100, 8])
    #expect(!place.root.performAndWait { $0.hasChanges })
  }

  @Test func `a commit that was written without anybody knowing is not written twice`() throws {
    let place = try Place()
    let a = place.child("a")
    try place.edit(0, in: a, 7)
    place.store.forgetOutcome()
    let error = #expect(throws: CauldronError.self) { try a.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .storeCommitOutcomeUnknown)
    let b = place.child("b")
    try place.edit(1, in: b, 8)
    try b.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [7, 8])
    #expect(!place.root.performAndWait { $0.hasChanges })
  }

  @Test func `a change to another property by another process is taken in`() throws {
    let place = try Place()
    let a = place.child("a")
    try a.performAndWait { try $0.context.account(place.ids[0]).mark = 3 }
    try place.theyWrite(0, 50)
    try a.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [50, 100])
    #expect(try place.stranger().performAndWait { try $0.context.account(place.ids[0]).mark } == 3)
  }
}
