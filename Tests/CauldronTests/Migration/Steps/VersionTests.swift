import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Stores go through the former versions that a plan lists.
@Suite(.againstHanging) struct VersionTests {
  private static let first = [EntityDescription.entity("Person", .text("name"))]
  private static let second = [
    EntityDescription.entity("Person", .text("given"), .text("family")), .entity("Mark"),
  ]
  private static let third = [EntityDescription.entity("Person", .text("full"))]

  private static let split = MigrationStep(
    "split", needs: ["Person.name"], discards: ["Person.name: String"]
  ) { step in
    try step.each("Person") { old, new in
      let parts = (old["name"] ?? "").split(separator: " ").map(String.init)
      new["given"] = parts.first
      new["family"] = parts.last
    }
    try step.insert("Mark")
  }

  private static let join = MigrationStep(
    "join", needs: ["Person.given"],
    discards: ["Person.given: String", "Person.family: String", "Mark"]
  ) { step in
    guard try step.count("Mark") == 1 else { throw Refusal() }
    try step.each("Person") { old, new in
      new["full"] = "\(old["family"] ?? ""), \(old["given"] ?? "")"
    }
  }

  private struct Refusal: Error {}

  private static func plan(
    _ split: MigrationStep = split, _ join: MigrationStep = join
  ) throws -> MigrationPlan {
    MigrationPlan(versions: [
      MigrationVersion(try ManagedObjectModel(entities: first)),
      MigrationVersion(try ManagedObjectModel(entities: second)) { split },
    ]) { join }
  }

  private func filled() throws -> DayTwo {
    let store = try DayTwo()
    try store.open(Self.first) { context in
      for name in ["Ann Bee", "Cy Dee"] {
        let person = try context.insertNewObject(forEntityName: "Person")
        try person.setValue(name, forKey: "name")
      }
    }
    return store
  }

  @Test func `a store goes through each version, with its steps`() throws {
    let store = try filled()
    try store.open(Self.third, .plan(Self.plan())) { _ in }
    #expect(store.texts("SELECT ZFULL FROM ZPERSON ORDER BY Z_PK") == ["Bee, Ann", "Dee, Cy"])
    #expect(store.texts("SELECT name FROM sqlite_master WHERE name = 'ZMARK'").isEmpty)
    #expect(store.texts("PRAGMA integrity_check") == ["ok"])
    // It is done, and the copy is of the first version.
    try store.open(Self.third, .never) { _ in }
    try Stack.restoreBackup(storeURL: store.url)
    #expect(store.texts("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK") == ["Ann Bee", "Cy Dee"])
  }

  @Test func `a store of a later version goes on from there`() throws {
    let store = try filled()
    try store.open(Self.second, .steps(Self.split)) { _ in }
    let never = MigrationStep("split", needs: ["Person.name"]) { _ in throw Refusal() }
    try store.open(Self.third, .plan(Self.plan(never))) { _ in }
    #expect(store.texts("SELECT ZFULL FROM ZPERSON ORDER BY Z_PK") == ["Bee, Ann", "Dee, Cy"])
  }

  @Test func `whatever goes wrong on the way, the store is as it was`() throws {
    let store = try filled()
    let before = store.content()
    let failing = MigrationStep("join", needs: ["Person.given"]) { _ in throw Refusal() }
    #expect(store.refusal(Self.third, .plan(try Self.plan(Self.split, failing))) != nil)
    #expect(store.content() == before)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: store.url.deletingLastPathComponent().path)
    #expect(names == ["people.sqlite"])
  }

  @Test func `a forecast tells all stages`() throws {
    let store = try filled()
    var configuration = StackConfiguration()
    configuration.migration = .plan(try Self.plan())
    let model = try ManagedObjectModel(entities: Self.third)
    let forecast = try Stack.migrationForecast(
      storeURL: store.url, model: model, configuration: configuration)
    #expect(forecast.isPossible, "\(forecast)")
    #expect(forecast.steps == ["split", "join"])
    #expect(forecast.losses.first { $0.name == "Person.name: String" }?.count == 2)
    #expect(forecast.losses.contains { $0.name == "Mark" && $0.count == nil && $0.isAllowed })
    #expect(store.texts("SELECT count(*) FROM ZPERSON") == ["2"])
  }

  @Test func `a step that a misspelt name leaves out is told, wherever it is missed`() throws {
    let store = try filled()
    let misspelt = MigrationStep("split", needs: ["Person.nmae"], discards: ["Person.name: String"])
    { _ in }
    let policy = MigrationPolicy.plan(MigrationPlan(steps: [misspelt]))
    let reason = "Step \"split\" is not needed, because the store has no Person.nmae."
    let error = store.refusal(Self.third, policy)
    #expect(error?.code == .migrationWouldDiscard)
    #expect(error?.hint.contains(reason) == true, "\(error?.hint ?? "")")
    var configuration = StackConfiguration()
    configuration.migration = policy
    let forecast = try Stack.migrationForecast(
      storeURL: store.url, model: ManagedObjectModel(entities: Self.third),
      configuration: configuration)
    #expect(forecast.skippedSteps == [reason])
    let more = [EntityDescription.entity("Person", .text("name"), .text("nick"))]
    try store.open(more, policy) { _ in }
    #expect(store.log.lines.contains { $0.message.hasSuffix(reason) })
  }

  @Test func `a loss beside a step that runs names the step's own permission`() throws {
    let store = try filled()
    let careless = MigrationStep("split", needs: ["Person.name"]) { _ in }
    let error = store.refusal(Self.third, .plan(MigrationPlan(steps: [careless])))
    #expect(
      error?.hint.contains("discards: [\"Person.name: String\"] of that step") == true,
      "\(error?.hint ?? "")")
  }

  @Test func `versions that are the same are no plan`() throws {
    let model = try ManagedObjectModel(entities: Self.first)
    let plan = MigrationPlan(versions: [MigrationVersion(model), MigrationVersion(model)])
    let error = try filled().refusal(Self.third, .plan(plan))
    #expect(error?.code == .migrationInvalidPlan)
    #expect(error?.message.contains("version 2 is the same as one before it") == true)
  }
}
