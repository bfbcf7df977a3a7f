import CauldronModel
import CauldronModelFile
import Foundation

extension StoreMetadata {
  /// Reads a binary property list; nil where it is none, has no version hashes, or is nested too
  /// deeply.
  init?(identifier: String, propertyList bytes: [UInt8]) {
    guard var reader = try? PropertyListReader(bytes), reader.isShallow(),
      let list = try? reader.members(of: reader.top),
      let hashList = try? list["NSStoreModelVersionHashes"].map({ try reader.entries(of: $0) })
    else { return nil }
    var hashes: [String: Data] = [:]
    for (name, value) in hashList {
      guard case .data(let hash) = value else { return nil }
      hashes[name] = Data(hash)
    }
    self.init(
      identifier: identifier, versionHashes: hashes,
      versionIdentifiers: list["NSStoreModelVersionIdentifiers"].map { reader.texts($0) } ?? [])
    steps = list[Self.stepsKey].map { reader.texts($0) } ?? []
    if let entry = list[Self.restorationKey], case .text(let name)? = try? reader.object(entry) {
      restoration = name
    }
  }

  /// Keys of our own; Core Data leaves those alone that it does not know.
  private static let stepsKey = "CauldronMigrationSteps"
  private static let restorationKey = "CauldronRestoration"

  /// The binary property list that Core Data would write.
  func propertyList() throws -> [UInt8] {
    var list: [String: Any] = [
      "NSPersistenceFrameworkVersion": 1344,
      "NSStoreModelVersionChecksumKey": checksum,
      "NSStoreModelVersionHashes": versionHashes,
      "NSStoreModelVersionHashesDigest": digest,
      "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionIdentifiers": versionIdentifiers,
      "NSStoreType": "SQLite",
      "_NSAutoVacuumLevel": "2",
    ]
    if !steps.isEmpty { list[Self.stepsKey] = steps }
    if let restoration { list[Self.restorationKey] = restoration }
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    return [UInt8](data)
  }

  /// SHA-256 over the hashes in the order of the entities' names, in base 64.
  var checksum: String {
    let bytes = sortedHashes.flatMap { [UInt8]($0.hash) }
    return Data(SHA2.sha256(bytes)).base64EncodedString()
  }

  /// SHA-512 over each name and its hash in the order of the names, in base 64.
  var digest: String {
    let bytes = sortedHashes.flatMap { Array($0.name.utf8) + [UInt8]($0.hash) }
    return Data(SHA2.sha512(bytes)).base64EncodedString()
  }

  private var sortedHashes: [(name: String, hash: Data)] {
    versionHashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (name: $0.key, hash: $0.value) }
  }
}
