import CauldronModel
import CauldronModelFile
import TestSupport
import Testing

@Suite("Models that Core Data archived")
struct FixtureTests {
  private static let folder = "CoreDataPlus"

  @Test(
    "Every entity has Core Data's version hash",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)), arguments: ModelFixture.all)
  func hashes(fixture: ModelFixture) throws {
    let model = try fixture.model()
    #expect(model.entities.map(\.name) == fixture.hashes.keys.sorted())
    let hashes = try model.hashes()
    for (name, hash) in fixture.hashes { #expect(hashes[name] == hash, "\(name)") }
    #expect(model.open.isEmpty)
  }

  @Test(
    "The count of a relationship is read, and written as Core Data writes it",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)))
  func derived() throws {
    for fixture in ModelFixture.all where fixture.name.hasPrefix("SampleModel2_") {
      for model in try [fixture.model(), StoredModel(archive: fixture.model().archive())] {
        let book = try #require(model.entities.first { $0.name == "Book" })
        let count = try #require(book.attribute("pagesCount"))
        #expect(count.derivation == "pages.@count" && count.type == .integer64)
      }
    }
  }

  @Test(
    "What is written and read again is the same",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)), arguments: ModelFixture.all)
  func roundTrip(fixture: ModelFixture) throws {
    let model = try fixture.model()
    let archived = try StoredModel(archive: model.archive())
    let cached = try StoredModel(cache: model.cache())
    #expect(archived.lines == model.lines)
    #expect(cached.lines == model.lines)
    #expect(try cached.hashes() == model.hashes())
    #expect(cached.open.isEmpty)
  }

  @Test(
    "All kinds of fixtures are found",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)))
  func kinds() {
    #expect(ModelFixture.all.filter { $0.isCache }.count >= 5)
    #expect(ModelFixture.all.filter { !$0.isCache }.count >= 6)
  }

  @Test(
    "Own properties, defaults, indexes and renaming identifiers are read",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)))
  func content() throws {
    let fixture = try #require(ModelFixture.all.first { $0.name == "SampleModel_V2.sqlite" })
    let model = try fixture.model()
    let car = try #require(model.entities.first { $0.name == "Car" })
    let luxuryCar = try #require(model.entities.first { $0.name == "LuxuryCar" })
    let person = try #require(model.entities.first { $0.name == "Person" })
    #expect(model.versionIdentifiers == ["2"])
    #expect(luxuryCar.properties.map(\.name) == ["isLimitedEdition"])
    #expect(luxuryCar.superentity == "SportCar")
    #expect(luxuryCar.originalNames == ["ExpensiveSportCar"])
    guard case .constant(let value) = luxuryCar.attribute("isLimitedEdition")?.defaultValue else {
      Issue.record("isLimitedEdition has no default")
      return
    }
    #expect(value == .integer(0))
    #expect(car.uniquenessConstraints == [["numberPlate"]])
    #expect(
      car.indexes
        == [IndexDescription(name: "byMakerAndNumberPlate", properties: ["maker", "numberPlate"])])
    #expect(person.relationship("cars")?.destination == "Car")
    #expect(person.relationship("cars")?.inverse == "owner")
    #expect(person.uniquenessConstraints == [["firstName", "lastName"]])
  }

  @Test(
    "What descriptions cannot say is left out",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)))
  func leftOut() throws {
    let fixture = try #require(ModelFixture.all.first { $0.name == "SampleModel2_V1.sqlite" })
    let model = try fixture.model()
    let author = try #require(model.entities.first { $0.name == "Author" })
    let book = try #require(model.entities.first { $0.name == "Book" })
    let novel = try #require(model.entities.first { $0.name == "GraphicNovel" })
    #expect(author.properties.map(\.name) == ["alias", "books", "siteURL"])
    #expect(book.attribute("pagesCount") != nil)
    #expect(novel.properties.map(\.name) == ["isBlackAndWhite"])
    #expect(book.relationship("pages")?.maxCount == 10_000)
  }
}
