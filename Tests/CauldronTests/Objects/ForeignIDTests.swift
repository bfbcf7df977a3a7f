import Cauldron
import CauldronModel
import TestSupport
import Testing

@Entity final class Ärztin: ManagedObject {
  var name: String = ""
}

/// IDs of another store, and IDs whose URIs are not plain.
@Suite(.againstHanging) struct ForeignIDTests {
  @Test(arguments: StoreKind.allCases)
  func `an ID of another store finds nothing`(_ kind: StoreKind) throws {
    let (mine, other) = (try Bench(kind), try Bench(kind))
    var ids: [ManagedObjectID] = []
    for bench in [mine, other] {
      let context = bench.child()
      let company = Company.named("acme", in: context)
      Person.named("jack", in: context).employer = company
      try context.saveAndWait(toPersistentStore: true)
      ids.append(company.objectID)
    }
    let context = mine.child()
    #expect(try Company.count(where: .isIn([ids[1]]), in: context) == 0)
    #expect(try Company.count(where: .isIn(ids), in: context) == 1)
    #expect(try Company.count(where: !.isIn([ids[1]]), in: context) == 1)
  }

  @Test func `the URI of an entity with any name leads back to the object`() throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Ärztin.self))
    let context = bench.child()
    let made = Ärztin.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
    let uri = made.objectID.uriRepresentation
    #expect(bench.stack.coordinator.managedObjectID(forURIRepresentation: uri) == made.objectID)
  }
}
