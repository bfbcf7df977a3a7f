import Cauldron
import TestSupport
import Testing

/// A context drops what its children have saved into it: they take that back.
@Suite(.againstHanging) struct DroppedSaveTests {
  @Test(arguments: [false, true])
  func `the child that has saved shows what the parent shows again`(_ merges: Bool) throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    Person.named("jack", in: parent)
    try parent.save()
    let child = bench.child("Child", of: parent)
    child.automaticallyMergesChangesFromParent = merges
    let jack = try #require(try Person.findFirst(in: child))
    let acme = Company.named("acme", in: child)
    (jack.name, jack.employer) = ("saved", acme)
    try child.save()
    parent.rollback()
    child.processPendingChanges()
    #expect(jack.name == "jack" && jack.employer == nil && !jack.hasChanges)
    #expect(acme.isDeleted && !child.hasChanges)
    #expect(try Company.count(in: child) == 0)
    jack.name = "again"
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["again"])
  }

  @Test func `an edit that the child has made since stays`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    Person.named("jack", in: parent)
    try parent.save()
    let child = bench.child("Child", of: parent)
    let jack = try #require(try Person.findFirst(in: child))
    jack.name = "saved"
    try child.save()
    jack.age = 6
    parent.rollback()
    child.processPendingChanges()
    #expect(jack.name == "jack" && jack.age == 6 && jack.hasChanges)
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.age == 6)
  }

  @Test func `a sibling that merges takes back what it has learned of`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    Person.named("jack", in: parent)
    try parent.save()
    let (child, sibling) = (bench.child("Child", of: parent), bench.child("Sibling", of: parent))
    sibling.automaticallyMergesChangesFromParent = true
    let shown = try #require(try Person.findFirst(in: sibling))
    try Person.findFirst(in: child)?.name = "saved"
    try child.save()
    sibling.processPendingChanges()
    #expect(shown.name == "saved")
    parent.rollback()
    sibling.processPendingChanges()
    #expect(shown.name == "jack" && !shown.hasChanges)
  }
}
