import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Stores that Core Data wrote with one version of a model, brought over to the next, are what Core Data
/// has made of them.
@Suite(
  .againstHanging, .enabled(if: AppleFixture.areThere, Fixtures.skip("Moody and CoreDataPlus")))
struct AppleLineageTests {
  private static func entities(_ source: String) throws -> [EntityDescription] {
    try ModelContents(Data(contentsOf: #require(Fixtures.url(source)))).entities
  }

  private static func sample(_ version: String) throws -> [EntityDescription] {
    try entities(
      "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel\(version).xcdatamodel/contents"
    )
  }

  private static func moody(_ version: Int) throws -> [EntityDescription] {
    let number = version == 1 ? "" : " \(version)"
    return try entities("Moody/Moody.xcdatamodeld/Moody\(number).xcdatamodel/contents")
  }

  private static func migrate(
    _ url: URL, _ entities: [EntityDescription], discarding losses: Set<String> = []
  ) throws {
    var configuration = StackConfiguration()
    configuration.logger = LogCapture().logger
    configuration.migration = .automatic(discarding: losses)
    let stack = try Stack(
      storeURL: url, model: ManagedObjectModel(entities: entities), configuration: configuration)
    try stack.close()
  }

  private func copy(_ name: String, _ folder: TemporaryDirectory) throws -> URL {
    let url = folder.file("\(UUID().uuidString).sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(name)), to: url)
    return url
  }

  private func columns(_ url: URL) -> Set<String> {
    Set(
      OtherConnection(url).texts(
        "SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master AS m,"
          + " pragma_table_info(m.name) AS c WHERE m.type = 'table'"))
  }

  @Test func `cars and their owners, cell for cell`() throws {
    let folder = try TemporaryDirectory()
    let url = try copy("CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite", folder)
    let apple = try copy("CoreDataPlus/SampleModel/Fixtures/SampleModel_V2.sqlite", folder)
    try Self.migrate(
      url, Self.sample("2"), discarding: ["Car.color: Transformable", "Person.id: UUID"])
    let (ours, theirs) = (try AppleRows(url), try AppleRows(apple))
    #expect(ours.count == 145 && ours.rows == theirs.rows && ours.integrity == ["ok"])
    #expect(columns(url) == columns(apple))
    let indexes = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"
    #expect(Set(OtherConnection(url).texts(indexes)) == Set(OtherConnection(apple).texts(indexes)))
    let keys = "SELECT Z_ENT || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY"
    #expect(OtherConnection(url).texts(keys) == OtherConnection(apple).texts(keys))
  }

  /// The moods with what does not depend on how Core Data numbered them anew.
  private func moods(_ url: URL, _ name: String, _ country: String) -> [[String?]] {
    OtherConnection(url).rows(
      "SELECT m.\(name), m.ZDATE, m.ZLATITUDE, m.ZLONGITUDE, m.ZCREATORID, hex(m.ZCOLORS),"
        + " c.ZNUMERICISO3166CODE, c.ZUPDATEDAT FROM ZMOOD AS m"
        + " LEFT JOIN \(country) AS c ON c.Z_PK = m.ZCOUNTRY ORDER BY 1")
  }

  private func allowed(_ version: Int) -> Set<String> {
    version < 5
      ? [] : ["Continent", "Mood.continent: Continent", "Country.continent: Continent"]
  }

  @Test(arguments: 1...4)
  func `moods, from each version to the next`(_ version: Int) throws {
    let folder = try TemporaryDirectory()
    let names = [version, version + 1].map {
      $0 == 1 ? "Moody/Moody.moody" : "Moody/Moody \($0).moody"
    }
    let (url, apple) = (try copy(names[0], folder), try copy(names[1], folder))
    try Self.migrate(url, Self.moody(version + 1), discarding: allowed(version + 1))
    let country = version + 1 < 4 ? "ZGEOGRAPHICREGION" : "ZCOUNTRY"
    let found = moods(url, "ZREMOTEID", country)
    #expect(found.count == 4)
    let theirs = moods(apple, "ZREMOTEID", country)
    // Of the fourth version the store has moods of its own.
    if version + 1 != 4, version != 4 { #expect(found == theirs) }
    #expect(columns(url) == columns(apple))
    #expect(OtherConnection(url).texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `moods, over all versions at once`() throws {
    let folder = try TemporaryDirectory()
    let url = try copy("Moody/Moody.moody", folder)
    let before = moods(url, "ZREMOTEIDENTIFIER", "ZGEOGRAPHICREGION")
    try Self.migrate(
      url, Self.moody(5),
      discarding: ["Continent", "Country.continent: Continent"])
    #expect(before.count == 4 && moods(url, "ZREMOTEID", "ZCOUNTRY") == before)
    #expect(OtherConnection(url).integers("SELECT DISTINCT ZRATING FROM ZMOOD") == [0])
  }

  @Test func `users get pets, and lose the names of theirs`() throws {
    let folder = try TemporaryDirectory()
    let url = try copy("CoreDataPlus/SampleModel3/Fixtures/SampleModel3_V1.sqlite", folder)
    let place = "CoreDataPlus/SampleModel3/SampleModel3.xcdatamodeld/"
    let before = OtherConnection(url).rows("SELECT Z_PK, ZNAME FROM ZUSER ORDER BY 1")
    try Self.migrate(
      url, Self.entities(place + "SampleModel3_v3.xcdatamodel/contents"),
      discarding: ["User.petName: String"])
    #expect(OtherConnection(url).rows("SELECT Z_PK, ZNAME FROM ZUSER ORDER BY 1") == before)
    #expect(before.count == 12)
    #expect(columns(url).isSuperset(of: ["ZPET.ZOWNER INTEGER", "ZUSER.ZPET INTEGER"]))
    #expect(!columns(url).contains { $0.contains("PETNAME") })
  }
}
