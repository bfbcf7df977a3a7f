import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

/// What becomes of a table that changes: it is altered where it is, or written anew.
@Suite("Tables are altered where they are, if that gives the same")
struct TableAlterationTests {
  private static func attribute(
    _ name: String, _ type: AttributeType = .string, from original: String? = nil,
    default value: Int64? = nil
  ) -> PropertyDescription {
    var attribute = AttributeDescription(
      name: name, type: type, isOptional: value == nil,
      default: value.map { .constant(.integer($0)) } ?? .none)
    attribute.originalNames = original.map { [$0] } ?? []
    return .attribute(attribute)
  }

  private static func model(
    _ properties: [PropertyDescription], unique: [[String]] = [], indexed: [[String]] = [],
    and others: [EntityDescription] = []
  ) throws -> ManagedObjectModel {
    let person = EntityDescription(
      name: "Person", properties: properties, uniquenessConstraints: unique,
      indexes: indexed.map { IndexDescription(properties: $0) })
    return try ManagedObjectModel(entities: [person] + others)
  }

  private static let plain = [attribute("a"), attribute("b"), attribute("n", .integer32)]

  /// The statements that bring a store of one model over to another, before and after the steps.
  private func plan(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, after sql: String = "",
    hasSteps: Bool = false
  ) throws -> (expand: [String], contract: [String], dropped: [String]) {
    let bench = try StoreBench(old)
    try bench.store.close()
    if !sql.isEmpty { #expect(RawDatabase(bench.url).run(sql) == 0) }
    let connection = try Connection(path: bench.url.path, mode: .readOnly, busyTimeout: 1)
    let check = SchemaCheck(connection: connection, planned: try StoreSchema(model: old))
    let source = try check.resolve().get()
    let plan = MigrationPlanner(
      mapping: ModelMapping(source: old, destination: new), source: source,
      destination: try StoreSchema(model: new), file: try FileTables(connection), hasSteps: hasSteps
    ).plan()
    #expect(plan.problems.isEmpty)
    return (plan.expand.map(\.text), plan.contract.map(\.text), plan.droppedIndexes)
  }

  private func isRebuilt(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, after sql: String = ""
  ) throws -> Bool {
    let plan = try plan(old, new, after: sql)
    return plan.expand.first?.hasSuffix("RENAME TO Z_OLD0") == true
      || plan.expand.first?.hasSuffix("RENAME TO \"Z_OLD0\"") == true
  }

  @Test("One statement fills, whatever comes and is renamed, and other indexes stay")
  func inPlace() throws {
    let old = try Self.model(Self.plain, indexed: [["b"], ["a"]])
    let new = try Self.model(
      [
        Self.attribute("c", from: "a"), Self.attribute("b"), Self.attribute("n", .integer64),
        Self.attribute("r", .integer64, default: 7), Self.attribute("s", .integer16, default: 8),
        Self.attribute("t"),
      ], indexed: [["b"], ["c"]])
    let plan = try plan(old, new)
    #expect(
      plan.expand == [
        "ALTER TABLE ZPERSON ADD COLUMN ZR INTEGER", "ALTER TABLE ZPERSON ADD COLUMN ZS INTEGER",
        "ALTER TABLE ZPERSON ADD COLUMN ZT VARCHAR", "UPDATE ZPERSON SET ZR = ?, ZS = ?",
        "ALTER TABLE ZPERSON RENAME COLUMN ZA TO ZC",
      ])
    #expect(
      plan.contract == ["CREATE INDEX Z_Person_byC ON ZPERSON (ZC COLLATE BINARY ASC)"])
    #expect(plan.dropped == ["Z_Person_byA"])
  }

  @Test("What changes no row writes none")
  func nothingWritten() throws {
    let plan = try plan(
      try Self.model(Self.plain), try Self.model(Self.plain + [Self.attribute("c")]))
    #expect(plan.expand == ["ALTER TABLE ZPERSON ADD COLUMN ZC VARCHAR"])
    #expect(plan.contract.isEmpty)
    let same = try self.plan(try Self.model(Self.plain), try Self.model(Self.plain))
    #expect(same.expand.isEmpty && same.contract.isEmpty)
  }

  @Test("Numbers of entities change in the statement that fills, and the table may be renamed")
  func numbers() throws {
    let animal = EntityDescription(name: "Animal", properties: [Self.attribute("sound")])
    let numbers = try plan(
      try Self.model(Self.plain),
      try Self.model(Self.plain + [Self.attribute("r", .integer64, default: 7)], and: [animal]))
    #expect(
      numbers.expand.dropFirst() == [
        "ALTER TABLE ZPERSON ADD COLUMN ZR INTEGER",
        "UPDATE ZPERSON SET ZR = ?, Z_ENT = CASE Z_ENT WHEN 1 THEN 2 END",
      ])
    var man = EntityDescription(name: "Man", properties: Self.plain)
    man.originalNames = ["Person"]
    let renamed = try plan(
      try Self.model(Self.plain), try ManagedObjectModel(entities: [man]))
    #expect(renamed.expand == ["ALTER TABLE ZPERSON RENAME TO ZMAN"])
  }

  @Test("A table of several entities is not written anew for a property of one")
  func hierarchy() throws {
    func models(_ more: [PropertyDescription]) throws -> ManagedObjectModel {
      let employee = EntityDescription(
        name: "Worker", superentity: "Person", properties: [Self.attribute("salary")] + more)
      return try Self.model(Self.plain, and: [employee])
    }
    let plan = try plan(
      models([]), models([Self.attribute("r", .integer64, default: 7), Self.attribute("x")]))
    #expect(plan.expand.count == 3)
    #expect(plan.expand.last?.hasPrefix("UPDATE ZPERSON SET ZR = CASE Z_ENT WHEN ") == true)
  }

  @Test("One column that goes is dropped; for two the table is written anew")
  func dropped() throws {
    let old = try Self.model(Self.plain, indexed: [["a"]])
    let one = try plan(old, try Self.model([Self.plain[1], Self.plain[2]]))
    #expect(one.expand.isEmpty)
    #expect(one.contract == ["ALTER TABLE ZPERSON DROP COLUMN ZA"])
    #expect(one.dropped == ["Z_Person_byA"])
    #expect(try isRebuilt(old, try Self.model([Self.plain[1]])))
  }

  @Test("A unique key that comes is made, though no column changes")
  func unique() throws {
    let plan = try plan(
      try Self.model(Self.plain), try Self.model(Self.plain, unique: [["a"]]))
    #expect(plan.expand.isEmpty)
    #expect(
      plan.contract
        == ["CREATE UNIQUE INDEX Z_Person_UNIQUE_a ON ZPERSON (ZA COLLATE BINARY ASC)"])
    let back = try self.plan(
      try Self.model(Self.plain, unique: [["a"]]), try Self.model(Self.plain))
    #expect(back.contract.isEmpty)
    #expect(back.dropped == ["Z_Person_UNIQUE_a"])
  }

  @Test("A name that another column has or leaves, another type, and a view: written anew")
  func rebuilt() throws {
    let old = try Self.model(Self.plain)
    let swapped = [
      Self.attribute("a", from: "b"), Self.attribute("b", from: "a"), Self.plain[2],
    ]
    #expect(try isRebuilt(old, try Self.model(swapped)))
    #expect(try isRebuilt(old, try Self.model([Self.attribute("b", from: "a"), Self.plain[2]])))
    let real = Self.plain.dropLast() + [Self.attribute("n", .double)]
    #expect(try isRebuilt(old, try Self.model(Array(real))))
    let more = try Self.model(Self.plain + [Self.attribute("c")])
    #expect(try isRebuilt(old, more, after: "CREATE VIEW v AS SELECT ZA FROM ZPERSON"))
    #expect(try isRebuilt(old, more, after: "ALTER TABLE ZPERSON ADD COLUMN zc INTEGER"))
    #expect(try isRebuilt(old, more, after: "ALTER TABLE ZPERSON ADD COLUMN other INTEGER"))
    #expect(try !isRebuilt(old, more, after: "CREATE INDEX mine ON ZPERSON (ZA)"))
  }

  @Test("Where steps need the old tables, they are written anew")
  func steps() throws {
    let plan = try plan(
      try Self.model(Self.plain), try Self.model(Self.plain + [Self.attribute("c")]), hasSteps: true
    )
    #expect(plan.expand.first?.contains("Z_OLD0") == true)
  }
}
