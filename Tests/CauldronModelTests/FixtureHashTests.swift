import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite("Version hashes of real models")
struct FixtureHashTests {
  private static let folder = "CoreDataPlus"

  @Test(
    "Every entity of a model source has the hash that Apple's compiler wrote",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)),
    arguments: [
      ("SampleModel", "SampleModel", 4), ("SampleModel", "SampleModel2", 4),
      ("SampleModel3", "SampleModel3", 1), ("SampleModel3", "SampleModel3_v2", 2),
      ("SampleModel3", "SampleModel3_v3", 2),
    ])
  func hashes(model: String, version: String, count: Int) throws {
    let built = try ManagedObjectModel(entities: try Self.entities(model, version))
    let stored = try Self.storedHashes(model, version)
    #expect(stored.count == count)
    #expect(built.entityVersionHashesByName.mapValues(\.hex) == stored.mapValues(\.hex))
  }

  private static func entities(_ model: String, _ version: String) throws -> [EntityDescription] {
    let source = try #require(
      Fixtures.url("\(folder)/\(model)/\(model).xcdatamodeld/\(version).xcdatamodel/contents"))
    return try ModelContents(Data(contentsOf: source)).entities
  }

  private static func storedHashes(_ model: String, _ version: String) throws -> [String: [UInt8]] {
    let url = try #require(
      Fixtures.url("\(folder)/\(model)/Fixtures/\(model).momd/VersionInfo.plist"))
    let plist = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url), options: [], format: nil)
    let versions = (plist as? [String: Any])?["NSManagedObjectModel_VersionHashes"]
    let hashes = (versions as? [String: [String: Data]])?[version]
    return try #require(hashes).mapValues { Array($0) }
  }
}
