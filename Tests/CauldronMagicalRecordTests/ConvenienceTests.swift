import Cauldron
import CauldronMagicalRecord
import CauldronTesting
import TestSupport
import Testing

/// The calls for porters that are not old ones: orders as texts, lists in one call, descriptions.
@Suite(.againstHanging, .stack(.crew, entities: Sailor.self, Ship.self, Cargo.self))
struct ConvenienceTests {
  @Test @MainActor func `terms in a text sort, each with a direction of its own`() throws {
    let context = ManagedObjectContext.default
    #expect(try Sailor.findAll(sortedBy: "crew:NO,name").names == "Ann Cyd Bob")
    #expect(try Sailor.findAll(sortedBy: "crew , age:NO", in: context).names == "Bob Cyd Ann")
    #expect(
      try Sailor.findAll(sortedBy: "crew,name:YES", ascending: false, in: context).names
        == "Ann Cyd Bob")
    let window = try Sailor.findAll(
      where: \.crew == "red", sortedBy: "name", limit: 1, offset: 1, in: context)
    #expect(window.names == "Cyd")
  }

  @Test @MainActor func `the first by terms is found, and unknown keys are refused`() throws {
    #expect(try Sailor.findFirst(sortedBy: "name:NO")?.name == "Cyd")
    #expect(
      try Sailor.findFirst(where: \.age < 40, sortedBy: "age:NO", in: .default)?.name == "Ann")
    #expect(
      #expect(throws: CauldronError.self) { try Sailor.findAll(sortedBy: "nam") }?.code
        == .queryUnknownKey)
  }

  @Test @MainActor func `key paths sort beside texts`() throws {
    #expect(try Sailor.findAll(sortedBy: \.crew.descending, \.name).names == "Ann Cyd Bob")
    #expect(try Sailor.findFirst(sortedBy: \.ship.name, ascending: false)?.name == "Ann")
  }

  @Test @MainActor func `a list is fetched, sorted and grouped in one call`() throws {
    let delegate = Delegate()
    let list = try Sailor.fetchAll(
      where: \.age >= 30, sortedBy: \.age, ascending: false, groupedBy: .value(of: \.crew),
      delegate: delegate)
    #expect(list.sections.map(\.name) == ["red"])
    #expect(list.object(at: ListPath(section: 0, item: 0)).name == "Cyd")
    #expect(list.delegate === delegate)
    #expect(try Sailor.fetchAll(in: .default).snapshot.count == 3)
  }

  @Test @MainActor func `an entity and its properties are described by their names`() throws {
    #expect(try Sailor.entityDescription(in: .default).name == "Sailor")
    #expect(
      try Sailor.properties(named: ["age", "name"], in: .default).map(\.name) == ["age", "name"])
    let error = #expect(throws: CauldronError.self) {
      try Sailor.properties(named: ["nam"], in: .default)
    }
    #expect(error?.code == .queryUnknownKey)
    #expect(error?.hint == "Did you mean \"name\"?")
  }
}

private final class Delegate: FetchedResultsControllerDelegate {
  typealias Object = Sailor
}
