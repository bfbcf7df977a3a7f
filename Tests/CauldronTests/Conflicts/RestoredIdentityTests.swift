import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// An object that a policy brings back stays the object of its ID, and has its unique values or none.
@Suite(.againstHanging, .ownThread) struct RestoredIdentityTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    parent = bench.child("Parent")
    child = bench.child("Child", of: parent)
  }

  /// People in the file, the context with them, and the first of them.
  private func saved(_ names: String..., at employer: Company? = nil) throws -> Person {
    let people = names.map { Person.named($0, age: 1, at: employer, in: parent) }
    try parent.saveAndWait(toPersistentStore: true)
    return people[0]
  }

  private func editInChild(_ name: String, _ edit: (Person) -> Void) throws {
    try child.performAndWait { local in
      edit(try #require(try Person.findFirst(where: \.name == name, in: local)))
    }
  }

  private func stored() throws -> [String] {
    try Person.findAll(sortedBy: \.name, in: bench.committed()).map { "\($0.name) \($0.age)" }
  }

  /// The parent deletes what the child has renamed, and makes another object with the new name's
  /// value.
  private func exchanged() throws {
    let old = try saved("ann")
    old.email = "old"
    try parent.saveAndWait(toPersistentStore: true)
    try editInChild("ann") { ($0.email, $0.age) = ("new", 5) }
    parent.performAndWait { local in
      let other = Person.named("bob", age: 2, in: local.context)
      other.email = "new"
      old.delete()
    }
    _ = try? child.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
  }

  @Test func `an object of the store that comes back keeps its ID for itself`() throws {
    try exchanged()
    let ids = try parent.performAndWait { try Person.findAll(in: $0).map(\.objectID) }
    #expect(Set(ids).count == ids.count)
  }

  @Test func `an edit reaches the row of its object, whatever came back beside it`() throws {
    try exchanged()
    _ = try? parent.saveAndWait(toPersistentStore: true)
    let edited = try parent.performAndWait { local in
      let person = try Person.findAll(in: local).first { $0.email == "old" }
      person?.age = 99
      return person.map { "\($0.name) 99" }
    }
    _ = try? parent.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    let written = try stored().filter { $0.hasSuffix(" 99") }
    #expect(written == [edited].compactMap(\.self))
  }

  @Test func `what an edit brings back is counted once`() throws {
    let firm = Company.named("firm", in: parent)
    let bob = try saved("bob", "ann", "joe", at: firm)
    try editInChild("bob") { $0.age = 2 }
    parent.performAndWait { _ in bob.delete() }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    let (objects, all, some, values) = try parent.performAndWait { local in
      (
        try Person.findAll(in: local).count, try Person.count(in: local),
        try Person.count(where: \.age >= 1, in: local),
        try Person.where(\.age >= 1).select(\.age).fetch(in: local).count
      )
    }
    #expect(objects == 3 && values == 3 && all == 3 && some == 3)
    let employees = try parent.performAndWait { local in
      [
        firm.employees.count,
        try Company.counts(of: \.employees, for: [firm], in: local)[firm.objectID],
      ]
    }
    #expect(employees == [3, 3])
  }

  /// - Parameter policy: That of the child's save, which does not touch the value.
  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `an object does not come back with a value that another one has got`(
    _ policy: MergePolicy
  ) throws {
    let old = try saved("ann")
    old.email = "mail"
    try parent.saveAndWait(toPersistentStore: true)
    try editInChild("ann") { $0.age = 5 }
    parent.performAndWait { local in
      old.delete()
      local.context.processPendingChanges()
      Person.named("bob", age: 2, in: local.context).email = "mail"
    }
    let error = cauldronError {
      _ = try child.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    }
    #expect(error?.code == .saveConstraint)
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["bob 2"])
  }

  @Test func `an object whose deletion is saved comes back to the store under its own ID`() throws {
    let old = try saved("ann")
    try parent.saveAndWait(toPersistentStore: true)
    let id = old.objectID
    try editInChild("ann") { ($0.email, $0.age) = ("new", 5) }
    try bench.stack.saveAndWait { local in
      try Person.findFirst(in: local)?.delete()
    }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    let other = parent.performAndWait { local in
      let other = Person.named("bob", age: 2, in: local.context)
      other.email = "new"
      return other
    }
    _ = try? parent.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    let people = try Person.findAll(in: bench.committed())
    #expect(people.filter { $0.objectID == id }.map(\.age) != [] || people.isEmpty)
    #expect(Set(people.map(\.objectID)).count == people.count)
    withExtendedLifetime(other) {}
  }
}
