import CauldronModel
import CauldronStore
import Testing

/// Which steps a store runs, and which plans are none.
@Suite struct MigrationPlanTests {
  private let model = try? ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string)),
        .attribute(AttributeDescription(name: "shown", type: .string, isTransient: true)),
      ]),
    EntityDescription(name: "Student", superentity: "Person", properties: []),
  ])

  private func step(
    _ name: String, _ needs: String..., discards: [String] = []
  ) -> MigrationStep {
    MigrationStep(name, needs: needs, discards: discards) { _ in }
  }

  private func selection(
    _ recorded: [String], _ steps: MigrationStep...
  ) throws -> (due: [String], unrecorded: [String]) {
    let found = MigrationPlan(steps: steps).selection(recorded, in: try #require(model))
    return (found.due.map(\.name), found.unrecorded)
  }

  @Test func `what is not recorded and has what it needs is due, in the order of the plan`() throws
  {
    let found = try selection(
      ["b"], step("c", "Person.name"), step("b", "Person"), step("a", "Student.name", "Student"),
      step("d"))
    #expect(found.due == ["c", "a", "d"])
    #expect(found.unrecorded == ["c", "a", "d"])
  }

  @Test(arguments: ["Company", "Person.mail", "Person.shown", "person", "Company.name"])
  func `what the store lacks is not needed, but recorded`(_ need: String) throws {
    let found = try selection([], step("a", "Person.name", need))
    #expect(found.due.isEmpty)
    #expect(found.unrecorded == ["a"])
  }

  @Test func `a plan lists its steps, in loops and conditions, too`() {
    let isOld = true
    let plan = MigrationPlan {
      step("a")
      if isOld { step("b") }
      if !isOld { step("x") } else { step("c") }
      for name in ["d", "e"] { step(name) }
    }
    #expect(plan.steps.map(\.name) == ["a", "b", "c", "d", "e"])
  }

  @Test func `equal are copies only`() {
    let one = step("a")
    #expect(MigrationPlan(steps: [one]) == MigrationPlan(steps: [one]))
    #expect(one != step("a"))
  }

  @Test func `what is right in a plan is not refused`() throws {
    try MigrationPlan {
      step("a", "Person", "Person.name", discards: ["Person.name: String", "Company"])
      step("b", discards: ["Person.tags: [Tag]"])
    }.validate()
  }

  @Test func `two steps of one name are none`() {
    let error = #expect(throws: CauldronError.self) {
      try MigrationPlan {
        step("a")
        step("a")
      }.validate()
    }
    #expect(error?.code == .migrationInvalidPlan)
    #expect(error?.message.contains("two steps are called \"a\"") == true)
  }

  @Test(arguments: ["", "Person.", ".name", "a.b.c", "Person.name: String", "two words"])
  func `a need that is no name is refused`(_ need: String) {
    let error = #expect(throws: CauldronError.self) {
      try MigrationPlan { step("a", need) }.validate()
    }
    #expect(error?.code == .migrationInvalidPlan)
  }

  @Test(arguments: ["", "Person.name", "name: String", "Person.name:String", "Person.name: "])
  func `a loss that is none is refused`(_ loss: String) {
    let error = #expect(throws: CauldronError.self) {
      try MigrationPlan { step("a", discards: [loss]) }.validate()
    }
    #expect(error?.code == .migrationInvalidPlan)
  }

  @Test func `all that is wrong is told at once`() {
    let error = #expect(throws: CauldronError.self) {
      try MigrationPlan {
        step("", "x.")
        step("", discards: ["y.z"])
      }.validate()
    }
    #expect(error?.details.count == 5)
  }
}
