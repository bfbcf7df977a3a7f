import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What is written or restored as a whole is what the object shows, merged values included.
@Suite(.againstHanging, .ownThread) struct RenewedRowTests {
  private let bench: Bench
  private let parent: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    parent = bench.child("Parent")
  }

  /// People in the file, the context with them, and the first of them.
  private func saved(_ names: String..., at employer: Company? = nil) throws -> Person {
    let people = names.map { Person.named($0, age: 1, at: employer, in: parent) }
    try parent.saveAndWait(toPersistentStore: true)
    return people[0]
  }

  private func stored() throws -> [String] {
    try Person.findAll(sortedBy: \.name, in: bench.committed()).map { "\($0.name) \($0.age)" }
  }

  /// A context that has edited the age of an object, and has merged the name that another one has
  /// saved.
  /// - Parameter isBelow: Whether both save into a context, and not to the store.
  private func merged(isBelow: Bool = false) throws -> (ManagedObjectContext, Person) {
    _ = try saved("ann")
    let receiver = isBelow ? parent : bench.root
    let (mine, other) = (bench.child("Mine", of: receiver), bench.child("Other", of: receiver))
    mine.automaticallyMergesChangesFromParent = true
    let ann = try #require(try Person.findFirst(in: mine))
    ann.age = 2
    mine.processPendingChanges()
    try other.performAndWait { local in
      let their = try #require(try Person.findFirst(in: local))
      (their.name, their.age) = ("amy", 9)
    }
    try other.saveAndWait(toPersistentStore: !isBelow)
    mine.performAndWait { _ in #expect(ann.name == "amy" && ann.age == 2) }
    return (mine, ann)
  }

  @Test(arguments: [false, true])
  func `an overwriting save writes what the object shows, merged values included`(
    _ isBelow: Bool
  ) throws {
    let (mine, ann) = try merged(isBelow: isBelow)
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: .overwrite)
    mine.performAndWait { _ in #expect(ann.name == "amy" && ann.age == 2) }
    #expect(try stored() == ["amy 2"])
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `an object that comes back is written as it shows, merged values included`(
    _ policy: MergePolicy
  ) throws {
    let (mine, _) = try merged()
    try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.delete() }
    mine.performAndWait { _ in }
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try stored() == ["amy 2"])
  }

  /// The child's part of the save has asked for another policy.
  @Test func `an overwriting save leaves to a child's save what that has changed`() throws {
    let ann = try saved("ann")
    let child = bench.child("Child", of: parent)
    parent.performAndWait { local in
      ann.age = 2
      local.context.processPendingChanges()
    }
    try child.performAndWait { try Person.findFirst(in: $0)?.name = "amy" }
    try bench.root.performAndWait { try Person.findFirst(in: $0)?.age = 9 }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .error)
    parent.mergePolicy = .overwrite
    try parent.saveAndWait(toPersistentStore: false)
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["amy 2"])
  }
}
