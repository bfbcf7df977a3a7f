import Cauldron
import TestSupport
import Testing

/// A conflict names the two saves that are at odds.
@Suite(.againstHanging) struct OtherSaveTests {
  @Test func `a save of another property is not named`() throws {
    let kit = try Kit()
    let id = try kit.store("a", balance: 100)[0]
    let (mine, theirs, others) = (kit.child("mine"), kit.child("theirs"), kit.child("others"))
    let held = try mine.performAndWait { Held(try $0.context.account(id)) }
    mine.performAndWait { _ in held.account.balance = 101 }
    try theirs.performAndWait { local in
      try local.context.account(id).balance = 99
      try local.save()
    }
    try others.performAndWait { local in
      try local.context.account(id).mark = 1
      try local.save()
    }
    let error = #expect(throws: CauldronError.self) { try mine.performAndWait { try $0.save() } }
    #expect(error?.code == .saveConflict && error?.otherSave?.contextName == "theirs")
  }
}
