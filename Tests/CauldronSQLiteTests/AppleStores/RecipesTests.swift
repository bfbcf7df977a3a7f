import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("A store of 2009, whose to-one relationships have at least one destination")
struct RecipesTests {
  private static let file = "Recipes/Recipes.sqlite"

  private static func model(minCount: Int) throws -> ManagedObjectModel {
    func toOne(
      _ name: String, _ destination: String, _ inverse: String, isOptional: Bool = true
    ) -> PropertyDescription {
      .relationship(
        RelationshipDescription(
          name: name, destination: destination, inverse: inverse, isToMany: false,
          isOptional: isOptional, minCount: minCount))
    }
    func required(_ name: String, _ type: AttributeType) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: type, isOptional: false))
    }
    let texts = ["instructions", "name", "overview", "prepTime"]
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Recipe",
        properties: texts.map { TestModels.attribute($0, .string) } + [
          TestModels.attribute("thumbnailImage", .transformable),
          toOne("image", "Image", "recipe"), toOne("type", "RecipeType", "recipes"),
          TestModels.toMany("ingredients", "Ingredient", inverse: "recipe"),
        ]),
      EntityDescription(
        name: "Image",
        properties: [
          TestModels.attribute("image", .transformable),
          toOne("recipe", "Recipe", "image", isOptional: false),
        ]),
      EntityDescription(
        name: "RecipeType",
        properties: [
          TestModels.attribute("name", .string),
          TestModels.toMany("recipes", "Recipe", inverse: "type"),
        ]),
      EntityDescription(
        name: "Ingredient",
        properties: [
          TestModels.attribute("amount", .string), required("displayOrder", .integer16),
          required("name", .string), toOne("recipe", "Recipe", "ingredients"),
        ]),
    ])
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
