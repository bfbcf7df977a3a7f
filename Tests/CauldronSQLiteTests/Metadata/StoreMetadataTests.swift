import CauldronModel
import CauldronStore
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

  @Test("A finding is one line, whatever is in the names of a file")
  func oneLine() {
    let finding = StoreFinding(.modelHash, "\nog\r\n is in the metadata.")
    #expect(finding.message == " og  is in the metadata.")
  }

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

  /// A store that has nothing but metadata without hashes.
  private static func connection(identifier: String) throws -> Connection {
    let connection = try Connection(path: ":memory:", mode: .readWrite, busyTimeout: 0)
    try connection.run(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB)")
    try connection.run("INSERT INTO Z_METADATA VALUES (1, \(identifier), x'')")
    return connection
  }

  @Test(
    "The metadata are written whatever identifier others have put beside them",
    arguments: ["NULL", "x'0102'", "CAST(x'41ff' AS TEXT)"])
  func foreignIdentifier(_ value: String) throws {
    let connection = try Self.connection(identifier: value)
    let metadata = StoreMetadata(
      model: try ManagedObjectModel(entities: [Self.user]), identifier: "I")
    try metadata.write(connection)
    let written = try StoreMetadata.present(connection)
    #expect(written?.versionHashes == metadata.versionHashes)
  }

  @Test("Metadata that a trigger keeps away are an error")
  func refusedMetadata() throws {
    let connection = try Self.connection(identifier: "'I'")
    try connection.run(
      "CREATE TRIGGER keep BEFORE UPDATE ON Z_METADATA BEGIN SELECT RAISE(IGNORE); END")
    let metadata = StoreMetadata(
      model: try ManagedObjectModel(entities: [Self.user]), identifier: "I")
    #expect(throws: CauldronError.self) { try metadata.write(connection) }
  }

  @Test("What others have written and Foundation cannot write again is left out")
  func unwritableLists() throws {
    let model = try ManagedObjectModel(entities: [Self.user])
    let metadata = StoreMetadata(model: model, identifier: "I")
    // {true: null}, as Foundation reads it.
    let old =
      Array("bplist00".utf8) + [0xd1, 1, 2, 0x09, 0x00, 8, 11, 12]
      + [UInt8](repeating: 0, count: 6) + [1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13]
    let bytes = try metadata.propertyList(keeping: old)
    #expect(StoreMetadata(identifier: "I", propertyList: bytes) == metadata)
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
