import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What Apple's framework was seen to do with an object from its creation to its end.
@Suite(.againstHanging) struct LifecycleAcceptanceTests {
  @Test(arguments: StoreKind.allCases)
  func `acceptance 1: an object awakes once, with its defaults, under an ID that it keeps`(
    _ kind: StoreKind
  ) throws {
    let bench = try Witness.bench(kind)
    let context = bench.child()
    let object = Witness.create(in: context)
    #expect(object.calls == ["awake unnamed 7"])
    let id = object.objectID
    #expect(object.isInserted && !object.isFault && !id.isTemporaryID)
    try context.saveAndWait(toPersistentStore: true)
    #expect(!object.isInserted && !object.isFault && object.objectID == id)
    let other = bench.child("Other")
    let same = try #require(try Witness.find(object.objectID, in: other))
    #expect(same.name == "unnamed" && same.count == 7)
    #expect((object.calls + same.calls).count { $0.hasPrefix("awake") } == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `acceptance 2: willSave and didSave come once a save, and willSave again for its own change`(
    _ kind: StoreKind
  ) throws {
    let bench = try Witness.bench(kind)
    let context = bench.committed()
    let object = Witness.create(in: context)
    object.calls = []
    try context.save()
    #expect(object.calls == ["willSave", "didSave"])
    object.calls = []
    object.saves = 0
    try context.save()
    #expect(object.calls == ["willSave", "willSave", "didSave"] && object.saves == 1)
    #expect(try Witness.findAll(in: bench.committed()).map(\.saves) == [1])
    object.calls = []
    try context.save()
    #expect(object.calls.isEmpty)
  }

  @Test func `acceptance 3: each call of delete is told, also the second one`() throws {
    let bench = try Witness.bench()
    let context = bench.committed()
    let object = Witness.create(in: context)
    try context.save()
    object.calls = []
    object.delete()
    #expect(object.calls == ["prepare"] && object.isDeleted)
    object.delete()
    #expect(object.calls == ["prepare", "prepare"])
    context.processPendingChanges()
    context.delete(object)
    #expect(object.calls == ["prepare", "prepare", "prepare"])
  }

  @Test(arguments: [false, true])
  func `acceptance 4: a deleted object that is saved is not deleted any more and has no context`(
    _ isChild: Bool
  ) throws {
    let bench = try Witness.bench(.file)
    let context = isChild ? bench.child() : bench.committed()
    let object = Witness.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
    object.delete()
    #expect(object.isDeleted && object.managedObjectContext === context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(!object.isDeleted && object.managedObjectContext == nil)
    #expect(context.registeredObjects.isEmpty && !context.hasChanges)
  }

  @Test func `acceptance 5: a primitive value is among no changed values`() throws {
    let bench = try Witness.bench()
    let context = bench.committed()
    let object = Witness.named("first", in: context)
    try context.save()
    try object.setPrimitiveValue("second", forKey: "name")
    #expect(object.name == "second" && object.changedValues().isEmpty && !object.hasChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func
    `acceptance 6: after a save nothing is changed, and committed is what was read or saved last`(
      _ kind: StoreKind
    ) throws
  {
    let bench = try Witness.bench(kind)
    let context = bench.child()
    let object = Witness.named("first", in: context)
    #expect(object.changedValues()["name"] as? String == "first")
    try context.saveAndWait(toPersistentStore: true)
    #expect(object.changedValues().isEmpty)
    #expect(object.committedValues()["name"] == .text("first"))
    object.name = "second"
    #expect(Array(object.changedValues().keys) == ["name"])
    #expect(object.committedValues()["name"] == .text("first"))
    try context.save()
    #expect(object.changedValues().isEmpty)
    #expect(object.committedValues()["name"] == .text("second"))
    let other = bench.committed()
    let fetched = try #require(try Witness.findFirst(in: other))
    fetched.name = "third"
    #expect(Array(fetched.changedValues().keys) == ["name"])
    #expect(fetched.committedValues()["name"] == .text("first"))
    #expect(fetched.committedValues()["count"] == .integer(7))
  }

  // Keys are reserved in the file when an object is created, so that there is nothing left to obtain.
  @Test func `acceptance 7: permanent IDs change the file, and the object is still inserted`()
    throws
  {
    let bench = try Witness.bench(.file)
    let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Witness'"
    #expect(file.integers(greatest) == [0])
    let context = bench.child()
    let object = Witness.create(in: context)
    try context.obtainPermanentIDs(for: [object])
    let uri = object.objectID.uriRepresentation
    let key = try #require(Int64(uri.lastPathComponent.dropFirst()))
    #expect(uri.lastPathComponent == "p\(key)")
    #expect(try #require(file.integers(greatest).first) >= key)
    #expect(object.isInserted && context.hasChanges)
    #expect(file.integers("SELECT Z_PK FROM ZWITNESS") == [])
    try context.saveAndWait(toPersistentStore: true)
    #expect(object.objectID.uriRepresentation == uri && !object.isInserted)
    #expect(file.integers("SELECT Z_PK FROM ZWITNESS") == [key])
  }
}
