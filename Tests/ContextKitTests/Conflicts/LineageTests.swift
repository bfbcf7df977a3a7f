import Cauldron
import TestSupport
import Testing

/// An edit may be based on a value that was pushed, and then never written.
@Suite(.againstHanging) struct LineageTests {
  @Test(arguments: Kit.Place.allCases)
  func `an edit of a discarded value does not pass for one of the committed value`(
    _ place: Kit.Place
  ) throws {
    let kit = try Kit(place)
    let id = try kit.store("a", balance: 100)[0]
    let (first, second) = (kit.child("first", of: kit.root), kit.child("second", of: kit.root))
    let beside = kit.sibling("beside")
    try first.performAndWait { local in
      try local.context.account(id).balance = 90
      try local.save()
    }
    // Sees the pushed 90, which has the version that the next commit will have.
    try second.performAndWait { try $0.context.account(id).balance -= 10 }
    kit.root.performAndWait { $0.rollback() }
    try beside.performAndWait { local in
      try local.context.account(id).balance = 50
      try local.save()
    }
    let error = #expect(throws: CauldronError.self) {
      try second.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .saveConflict)
    #expect(try kit.sibling().performAndWait { try $0.context.account(id).balance } == 50)
  }
}
