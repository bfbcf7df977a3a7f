import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A commit of which nobody knows whether it was written.
@Suite(.againstHanging) struct UnknownOutcomeTests {
  private let place: Place

  init() throws { place = try Place() }

  private func saveUnknown(_ context: ManagedObjectContext) {
    place.store.forgetOutcome()
    let error = #expect(throws: CauldronError.self) {
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .storeCommitOutcomeUnknown)
  }

  @Test func `new objects that may be written are seen once`() throws {
    let a = place.child("a")
    a.performAndWait { _ = Account.named("new", in: $0.context) }
    saveUnknown(a)
    let reader = place.child("reader")
    try reader.performAndWait { local in
      let owners = try Account.owners(in: local)
      let counts = try (
        Account.count(in: local), Account.count(where: \.owner == "new", in: local)
      )
      #expect(owners == ["a", "b", "new"])
      #expect(counts == (3, 1))
    }
  }

  @Test func `a save that has to wait for the answer keeps its changes`() throws {
    let (a, b, c) = (place.child("a"), place.child("b"), place.child("c"))
    try place.edit(0, in: a, 7)
    saveUnknown(a)
    b.performAndWait { _ = Account.named("new", in: $0.context) }
    place.store.setUnreadable(true)
    let error = #expect(throws: CauldronError.self) { try b.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .storeCommitOutcomeUnknown && b.performAndWait { $0.hasChanges })
    place.store.setUnreadable(false)
    try place.edit(1, in: c, 8)
    try c.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [7, 8])
    #expect(try place.stranger().performAndWait { try Account.count(in: $0) } == 2)
    try b.saveAndWait(toPersistentStore: true)
    #expect(try place.stranger().performAndWait { try Account.count(in: $0) } == 3)
  }

  @Test func `one row tells of all where others have changed the rest`() throws {
    let (a, b) = (place.child("a"), place.child("b"))
    try place.edit(0, in: a, 7)
    try place.edit(1, in: a, 8)
    saveUnknown(a)
    try place.theyWrite(1, 50)
    b.performAndWait { _ = Account.named("new", in: $0.context) }
    try b.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [7, 50])
  }

  @Test func `a commit that was not written is, although others have changed a row`() throws {
    let (a, b) = (place.child("a"), place.child("b"))
    try place.edit(0, in: a, 7)
    a.performAndWait { _ = Account.named("new", in: $0.context) }
    place.store.loseOutcome()
    #expect(throws: CauldronError.self) { try a.saveAndWait(toPersistentStore: true) }
    try place.theyWrite(1, 50)
    b.performAndWait { _ = Account.named("newer", in: $0.context) }
    try b.saveAndWait(toPersistentStore: true)
    #expect(try place.stored() == [7, 50])
    #expect(try place.stranger().performAndWait { try Account.count(in: $0) } == 4)
  }

  @Test func `a row that others have changed since is shown as they left it`() throws {
    let beside = ManagedObjectContext(.private, coordinator: place.mine, name: "beside")
    let (a, b) = (place.child("a"), place.child("b"))
    try place.edit(0, in: a, 7)
    a.performAndWait { _ = Account.named("new", in: $0.context) }
    saveUnknown(a)
    try place.edit(0, in: beside, 9)
    try beside.performAndWait { try $0.save() }
    try place.edit(1, in: b, 8)
    try b.saveAndWait(toPersistentStore: true)
    let reader = ManagedObjectContext(.private, coordinator: place.mine, name: "reader")
    let seen = try reader.performAndWait { try $0.context.account(place.ids[0]).balance }
    #expect(try [seen, 8] == place.stored())
  }
}
