import Cauldron
import Foundation
import TestSupport
import Testing

private struct Overdrawn: Error {}

@Entity final class Balance: ManagedObject {
  var name: String = ""
  var amount: Int = 0
  var stamp: Double = 0

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if amount < 0 { throw Overdrawn() }
  }

  override func willSave() {
    try? setPrimitiveValue(stamp + 1, forKey: "stamp")
  }
}

/// What a context knows of its own objects while changes of children pass through it.
@Suite(.againstHanging, .ownThread) struct PassingDeletionTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench(.memory, model: ManagedObjectModel(Balance.self))
    parent = bench.child("Parent")
    child = bench.child("Child", of: parent)
    let maker = bench.committed()
    for name in ["a", "b"] { Balance.create(in: maker).name = name }
    try maker.save()
  }

  private func balance(
    _ name: String, in context: ManagedObjectContext
  ) throws -> Balance {
    try #require(try Balance.findFirst(\.name, name, in: context))
  }

  private func stored(_ name: String) throws -> Balance {
    try balance(name, in: bench.committed())
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyObjectTrump, .overwrite])
  func `an edit below a child's deletion that was refused is listed, and validated again`(
    _ policy: MergePolicy
  ) throws {
    let (a, b) = try parent.performAndWait { _ in
      let (a, b) = (try balance("a", in: parent), try balance("b", in: parent))
      (a.amount, b.amount) = (-2, -1)
      return (a, b)
    }
    #expect(cauldronError { try parent.saveAndWait(toPersistentStore: true) } != nil)
    child.mergePolicy = policy
    try child.performAndWait { _ in try balance("a", in: child).delete() }
    #expect(cauldronError { try child.saveAndWait(toPersistentStore: true) } != nil)
    parent.performAndWait { _ in b.amount = 1 }
    parent.performAndWait { _ in
      #expect(a.amount == -2 && a.isUpdated && parent.updatedObjects.contains(a))
      #expect(a.changedValues().keys.contains("amount"))
    }
    let error = cauldronError { try parent.saveAndWait(toPersistentStore: true) }
    #expect(error?.objectIDs == [a.objectID], "\(error as Any)")
    #expect(try stored("a").amount == 0)
    child.performAndWait { $0.rollback() }
    parent.performAndWait { _ in a.amount = 2 }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try stored("a").amount == 2)
  }

  @Test func `a primitive value that willSave sets in a new object is written`() throws {
    #expect(try stored("a").stamp == 1)
    child.performAndWait { Balance.create(in: $0).name = "c" }
    try child.saveAndWait(toPersistentStore: true)
    #expect(try stored("c").stamp >= 1)
  }

  @Test func `a child's new object that is changed since is inserted, and not updated`() throws {
    let id = child.performAndWait { Balance.create(in: $0).objectID }
    try child.saveAndWait(toPersistentStore: false)
    func expectInserted(_ object: Balance?) {
      #expect(object?.isInserted == true && object?.isUpdated == false)
      #expect(parent.insertedObjects == [object] && parent.updatedObjects.isEmpty)
    }
    parent.performAndWait { _ in
      let object = parent.registeredObject(for: id) as? Balance
      object?.name = "c"
      parent.processPendingChanges()
      expectInserted(object)
    }
    try child.performAndWait { _ in
      try (child.existingObject(with: id) as? Balance)?.amount = 3
    }
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { _ in expectInserted(parent.registeredObject(for: id) as? Balance) }
  }
}
