import Cauldron
import TestSupport
import Testing

@Entity(isAbstract: true) class Patron: ManagedObject {
  @Attribute(.unique) var email: String?
}

@Entity final class Visitor: Patron {
  var visits: Int = 0
}

@Entity final class Resident: Patron {
  var room: Int = 0
}

/// Unique values that are declared in a superentity, and asked for in a subentity.
@Suite(.againstHanging, .ownThread) struct FamilyFindingTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Patron.self, Visitor.self, Resident.self))
  }

  /// How far the object of the other entity has come.
  enum Stage: CaseIterable { case unsaved, saved, committed }

  @Test(arguments: StoreKind.allCases, Stage.allCases)
  func `a value of another subentity is an error that names the object, and nothing is created`(
    _ kind: StoreKind, _ stage: Stage
  ) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let resident = Resident.create(in: context)
    resident.email = "ann"
    if stage == .saved { try context.save() }
    if stage == .committed { try context.saveAndWait(toPersistentStore: true) }
    let place = stage == .unsaved ? context : bench.child()
    let before = place.insertedObjects.count
    let error = cauldronError { _ = try Visitor.findOrCreate(\.email, "ann", in: place) }
    #expect(error?.code == .queryTypeMismatch && error?.objectIDs == [resident.objectID])
    #expect(error?.message.contains("Resident") == true, "\(error as Any)")
    #expect(place.insertedObjects.count == before)
    #expect(try Resident.findOrCreate(\.email, "ann", in: place).objectID == resident.objectID)
  }

  @Test func `a value that another context has asked for as another subentity is an error`() throws
  {
    let bench = try bench(.memory)
    let first = bench.child()
    let visitor = try Visitor.findOrCreate(\.email, "ann", in: first)
    let second = bench.child()
    let error = cauldronError { _ = try Resident.findOrCreate(\.email, "ann", in: second) }
    #expect(error?.code == .queryTypeMismatch && !second.hasChanges)
    #expect(try Visitor.findOrCreate(\.email, "ann", in: second).objectID == visitor.objectID)
    try first.saveAndWait(toPersistentStore: true)
  }

  @Test func `a value that nobody has any more may be asked for as another subentity`() throws {
    let bench = try bench(.memory)
    let context = bench.child()
    let visitor = try Visitor.findOrCreate(\.email, "ann", in: context)
    try context.saveAndWait(toPersistentStore: true)
    visitor.delete()
    try context.saveAndWait(toPersistentStore: true)
    let resident = try Resident.findOrCreate(\.email, "ann", in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(resident.email == "ann")
    #expect(try Patron.count(in: bench.committed()) == 1)
  }
}
