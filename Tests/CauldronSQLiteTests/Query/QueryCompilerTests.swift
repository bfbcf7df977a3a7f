import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("Queries as SQL")
struct QueryCompilerTests {
  private let model: ManagedObjectModel
  private let schema: StoreSchema

  init() throws {
    model = try TestModels.people()
    schema = try StoreSchema(model: model)
  }

  private func sql(_ entity: String, _ change: (inout StoreQuery) throws -> Void) throws -> String {
    var query = StoreQuery(entity: model.entity(entity))
    try change(&query)
    let plan = PackPlan([model.entity(entity)], schema)
    return QueryCompiler(schema: schema, query: query).rows(plan)
      .text.replacing(plan.head, with: "…").replacing(plan.bulkHead, with: "all…")
  }

  private func filter(_ node: PredicateNode) throws -> String {
    let company = model.entity("Company")
    return try sql("Company") { $0.predicate = try node.bound(to: company) }
  }

  @Test("Entities are told apart only where a table holds others")
  func entities() throws {
    #expect(try sql("Company") { _ in } == "all…")
    #expect(try sql("Person") { _ in } == "all…")
    #expect(try sql("Employee") { _ in } == "all… WHERE Z_ENT IN (4,5)")
    #expect(try sql("Manager") { _ in } == "all… WHERE Z_ENT = 5")
    #expect(
      try sql("Person") { $0.includesSubentities = false } == "all… WHERE Z_ENT = 3")
  }

  @Test("A sorted page chooses keys first")
  func page() throws {
    let name = model.entity("Company").property("name")
    #expect(try sql("Company") { $0.limit = 5 } == "… ORDER BY Z_PK LIMIT ? OFFSET ?")
    let sorted = try sql("Company") {
      $0.sort = [.init(property: name, ascending: false)]
      $0.limit = 5
    }
    #expect(
      sorted == "… WHERE Z_PK IN (SELECT Z_PK FROM ZCOMPANY ORDER BY ZNAME DESC, Z_PK LIMIT ?"
        + " OFFSET ?) ORDER BY +ZNAME DESC, +Z_PK")
  }

  @Test("Comparisons leave nil out, but for those that ask for it")
  func comparisons() throws {
    #expect(
      try filter(.comparison(key: "name", .equal, .text("x")))
        == "all… WHERE ZNAME = ?")
    #expect(
      try filter(.comparison(key: "name", .notEqual, .text("x")))
        == "all… WHERE (ZNAME <> ? OR ZNAME IS NULL)")
    #expect(
      try filter(.not(.comparison(key: "name", .less, .text("x"))))
        == "all… WHERE ((ZNAME < ?) IS NOT TRUE)")
  }

  @Test("A search for a beginning can use an index")
  func beginsWith() throws {
    let directory = try TemporaryDirectory()
    let raw = RawDatabase(directory.file("x.sqlite"))
    for statement in schema.tables.flatMap(\.creationStatements) { raw.run(statement) }
    let person = model.entity("Person")
    let condition = PredicateSQL(schema, person).condition(
      try PredicateNode.text(key: "email", .beginsWith, "a").bound(to: person))
    let plan = raw.rows("EXPLAIN QUERY PLAN SELECT * FROM ZPERSON WHERE \(condition.text)")
    #expect(plan.joined().contains { $0.contains("USING INDEX Z_Person_UNIQUE_email") })
  }
}
