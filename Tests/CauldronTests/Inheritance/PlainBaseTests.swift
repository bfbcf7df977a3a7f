import Cauldron
import Foundation
import TestSupport
import Testing

/// No entity: what several entities share that the store knows nothing of.
class Counted: ManagedObject {
  @TaskLocal static var saves = Locked(0)
  var shout: String { "\(Self._entityName)!" }
  override func willSave() { Self.saves.withLock { $0 += 1 } }
}

class Audited: Counted {}

@Entity class Garden: Audited {
  var name: String = ""
  @Relationship(inverse: \Thicket.garden) var thickets: ToMany<Thicket>
}

/// Between two entities.
class Tended: Garden {
  var twice: String { name + name }
}

@Entity final class Park: Tended {
  var area: Int = 3
}

@Entity final class Thicket: Counted {
  var name: String = ""
  @Transient var note: String = "none"
  @Relationship var garden: Garden?
}

/// Plain classes above entities, and between them.
@Suite(.againstHanging) struct PlainBaseTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Garden.self, Park.self, Thicket.self))
  }

  @Test func `a plain class is no entity, and entities inherit through one`() throws {
    let model = try ManagedObjectModel(Garden.self, Park.self, Thicket.self)
    let superentities = model.entities.map { "\($0.name) \($0.superentity ?? "-")" }
    #expect(superentities.sorted() == ["Garden -", "Park Garden", "Thicket -"])
    #expect(Counted._superentityName == nil && Tended._superentityName == "Garden")
  }

  @Test(arguments: StoreKind.allCases)
  func `objects of entities below a plain class are saved, found and linked`(
    _ kind: StoreKind
  ) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let park = Park(context: context)
    park.name = "p"
    let thicket = Thicket(context: context)
    thicket.name = "oak"
    thicket.garden = park
    #expect(park.shout == "Park!" && park.twice == "pp" && thicket.note == "none")
    try context.saveAndWait(toPersistentStore: true)
    // The key path of a property below a plain class that is below an entity.
    #expect(try Park.findFirst(\.area, 3, in: bench.child()) != nil)
    let other = bench.committed()
    let found = try #require(try Thicket.findFirst(where: \.name == "oak", in: other))
    #expect(found.garden is Park && found.garden?.name == "p")
    #expect(try Thicket.findAll(where: { $0.garden.name == "p" }, in: other).count == 1)
    #expect(try Garden.findAll(in: other).map(\.shout) == ["Park!"])
  }

  @Test func `hooks that the plain class overrides are called`() throws {
    let bench = try bench(.memory)
    let context = bench.child()
    try Counted.$saves.withValue(Locked(0)) {
      Thicket(context: context).name = "oak"
      Park(context: context).name = "p"
      try context.save()
      #expect(Counted.saves.withLock { $0 } == 2)
    }
  }
}
