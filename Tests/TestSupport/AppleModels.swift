package import CauldronModel

/// Models of stores that Apple's framework wrote and that came without their source.
package enum AppleModels {
  /// That of the recipes of 2009.
  /// - Parameter minCount: The least number of objects at the end of a to-one relationship; it was 1.
  package static func recipes(minCount: Int = 1) -> [EntityDescription] {
    func toOne(
      _ name: String, _ destination: String, _ inverse: String, isOptional: Bool = true
    ) -> PropertyDescription {
      .relationship(
        RelationshipDescription(
          name: name, destination: destination, inverse: inverse, isToMany: false,
          isOptional: isOptional, minCount: minCount))
    }
    let texts = ["instructions", "name", "overview", "prepTime"]
    return [
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
    ]
  }

  /// That of the library with a history, as the store's own copy of the model has it; the number of
  /// pages is an attribute here, not a derived one.
  /// - Parameter version: 1 or 2.
  package static func library(version: Int) -> [EntityDescription] {
    let book = [
      required("uniqueID", .uuid), required("title", .string), required("price", .decimal),
      required("publishedAt", .date), TestModels.attribute("pagesCount", .integer64),
      required(version == 1 ? "cover" : "frontCover", .transformable),
      toOne("author", "Author", "books"), toMany("pages", "Page", "book", 1, 10_000),
    ]
    let author = [
      required("alias", .string), toMany("books", "Book", "author", 0, -1),
    ]
    return [
      EntityDescription(
        name: "Writer", isAbstract: true, properties: [required("age", .integer16)]),
      EntityDescription(
        name: "Author", superentity: "Writer",
        properties: author + (version == 1 ? [TestModels.attribute("siteURL", .uri)] : []),
        uniquenessConstraints: [["alias"]]),
      EntityDescription(name: "Book", properties: book, uniquenessConstraints: [["uniqueID"]]),
      EntityDescription(
        name: "GraphicNovel", superentity: "Book",
        properties: [required("isBlackAndWhite", .boolean)]),
      EntityDescription(
        name: "Feedback",
        properties: [
          required("bookID", .uuid), required("authorAlias", .string),
          TestModels.attribute("comment", .string), required("rating", .double),
        ]),
      EntityDescription(
        name: "Page",
        properties: [
          required("number", .integer32), required("isBookmarked", .boolean),
          required("content", .transformable), toOne("book", "Book", "pages"),
        ]),
    ]
  }

  private static func required(_ name: String, _ type: AttributeType) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: type, isOptional: false))
  }

  private static func toOne(
    _ name: String, _ destination: String, _ inverse: String
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isToMany: false,
        isOptional: false, minCount: 1))
  }

  private static func toMany(
    _ name: String, _ destination: String, _ inverse: String, _ least: Int, _ most: Int
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isToMany: true,
        isOptional: least == 0, minCount: least, maxCount: most))
  }
}
