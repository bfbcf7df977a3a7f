import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("The metadata of a store")
struct StoreMetadataTests {
  private static let user = EntityDescription(
    name: "User",
    properties: [
      .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
      TestModels.attribute("petName", .string),
    ])

  @Test("The checksum of the published vector is computed")
  func vector() throws {
    let model = try ManagedObjectModel(entities: [Self.user])
    let metadata = StoreMetadata(model: model, identifier: "I")
    #expect(metadata.checksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
    let hash = metadata.versionHashes["User"]?.map { String(format: "%02x", $0) }.joined()
    #expect(hash == "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
  }

  @Test("The property list can be read back and names what Core Data names")
  func roundTrip() throws {
    let model = try ManagedObjectModel(entities: [Self.user], versionIdentifiers: ["V1"])
    let metadata = StoreMetadata(model: model, identifier: "I")
    let bytes = try metadata.propertyList()
    #expect(StoreMetadata(identifier: "I", propertyList: bytes) == metadata)
    #expect(bytes.starts(with: Array("bplist00".utf8)))
    let list = try PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    let dictionary = try #require(list as? [String: Any])
    #expect(dictionary["NSStoreType"] as? String == "SQLite")
    #expect(dictionary["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect(dictionary["NSPersistenceFrameworkVersion"] as? Int == 1344)
    #expect(dictionary["_NSAutoVacuumLevel"] as? String == "2")
    #expect(dictionary["NSStoreModelVersionHashesDigest"] as? String == metadata.digest)
    #expect(dictionary["NSStoreModelVersionIdentifiers"] as? [String] == ["V1"])
  }

  @Test("What is not a property list with hashes is refused")
  func garbage() {
    #expect(StoreMetadata(identifier: "I", propertyList: []) == nil)
    #expect(StoreMetadata(identifier: "I", propertyList: Array("bplist00".utf8)) == nil)
  }

  @Test("Entities that differ, are missing or are extra are named")
  func differences() throws {
    let metadata = StoreMetadata(
      identifier: "I", versionHashes: ["User": Data([1]), "Old": Data()], versionIdentifiers: [])
    let new = EntityDescription(name: "New", properties: [])
    let model = try ManagedObjectModel(entities: [Self.user, new])
    #expect(metadata.differences(from: model) == ["New", "Old", "User"])
  }
}
