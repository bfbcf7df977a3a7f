import Cauldron
import CauldronModel
import TestSupport
import Testing

@Entity final class Depot: ManagedObject {
  @Attribute(.range(0...9)) var number: Int = 0
  var isOpen: Bool = true
  @Relationship(inverse: \Ware.depot, deleteRule: .deny, maxCount: 2) var wares: ToMany<Ware>

  override func validateForUpdate() throws {
    if !isOpen { throw CauldronError(.validationFailed, "A depot stays open.") }
  }
}

@Entity final class Ware: ManagedObject {
  var name: String = ""
  @Relationship var depot: Depot?
}

@Suite(.againstHanging) struct ManyProblemsTests {
  @Test func `one error has denials, hooks, rules and counts, a hundred of them in full`() throws {
    let model = try ManagedObjectModel(
      entities: [Depot._describeEntity(), Ware._describeEntity()])
    let context = try Bench(model: model).child()
    let depots = (0..<140).map { _ in Depot.create(in: context) }
    for depot in depots.prefix(30) { depot.wares.insert(Ware.create(in: context)) }
    try context.save()
    for depot in depots[0..<30] { depot.delete() }
    for depot in depots[30..<60] { depot.isOpen = false }
    for depot in depots[60..<90] { depot.number = 10 }
    for depot in depots[90..<140] {
      for _ in 0..<3 { depot.wares.insert(Ware.create(in: context)) }
    }
    let error = try #require(cauldronError { try context.save() })
    #expect(error.code == .validationMultiple)
    #expect(error.message.hasPrefix("140 problems in 140 objects: "))
    #expect(error.message.hasSuffix("… and 120 more."))
    #expect(
      error.details.map(\.code)
        == Array(repeating: .validationDenied, count: 30)
        + Array(repeating: .validationFailed, count: 30)
        + Array(repeating: .validationTooLarge, count: 30)
        + Array(repeating: .validationTooMany, count: 10))
    #expect(error.details.map { $0.objectIDs.first } == depots[..<100].map(\.objectID))
  }

  @Test func `several problems that a hook tells at once are problems of their own`() throws {
    let context = try Trial.bench().child()
    let trial = Trial.create(in: context)
    trial.size = 99
    trial.on("insert") { _ in
      throw CauldronError(.validationMultiple, "Two.").with {
        $0.details = [
          CauldronError(.validationFailed, "One."), CauldronError(.validationFailed, "Another."),
        ]
      }
    }
    let error = cauldronError { try context.save() }
    #expect(error?.message.hasPrefix("3 problems in 1 object: One. Another. ") == true)
    #expect(error?.details.map(\.code.coreDataCode) == [1550, 1550, 1610])
    #expect(error?.details.allSatisfy { $0.objectIDs == [trial.objectID] } == true)
    #expect(error?.details.allSatisfy { $0.entity == "Trial" } == true)
  }
}
