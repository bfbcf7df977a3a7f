import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("A store of 2009, whose to-one relationships have at least one destination")
struct RecipesTests {
  private static let file = "Recipes/Recipes.sqlite"

  private static func model(minCount: Int) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: AppleModels.recipes(minCount: minCount))
  }

  @Test(
    "It opens, is read, and takes a row", .enabled(if: Fixtures.exists(file), Fixtures.skip(file)))
  func opens() throws {
    let fixture = try #require(Fixtures.url(Self.file))
    let bench = try StoreBench(try Self.model(minCount: 1), copying: fixture)
    let recipe = bench.model.entity("Recipe")
    let names = try bench.fetch("Recipe").map { recipe.value("name", in: $0) }
    #expect(names.count == 7)
    #expect(names.contains(.text("Chocolate Cake")))
    let key = try bench.store.reserveKeys(1, for: bench.model.entity("RecipeType")).lowerBound
    try bench.insert("RecipeType", key, ["name": .text("Porridge")])
    let raw = RawDatabase(bench.url)
    #expect(raw.value("SELECT count(*) FROM ZRECIPETYPE WHERE ZNAME = 'Porridge'") == "1")
    #expect(raw.value("PRAGMA integrity_check") == "ok")
  }

  @Test(
    "A model without the least count is another model",
    .enabled(if: Fixtures.exists(file), Fixtures.skip(file)))
  func other() throws {
    let fixture = try #require(Fixtures.url(Self.file))
    let error = try failure {
      _ = try StoreBench(try Self.model(minCount: 0), copying: fixture)
    }
    #expect(error.code == .storeIncompatibleModel)
  }
}
