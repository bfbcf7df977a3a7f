import CauldronArchive
import CauldronModel
import CauldronModelFile
import Foundation

/// What `Z_METADATA` says about a store: its identity and the version of its model.
struct StoreMetadata: Sendable, Equatable {
  var identifier: String
  /// The 32-byte version hash of each entity.
  var versionHashes: [String: Data]
  var versionIdentifiers: [String]
  /// The names of the steps that need not run any more.
  var steps: [String] = []
  /// Names the last time that a copy was restored; nil where none was.
  var restoration: String?

  init(identifier: String, versionHashes: [String: Data], versionIdentifiers: [String]) {
    self.identifier = identifier
    self.versionHashes = versionHashes
    self.versionIdentifiers = versionIdentifiers
  }

  /// The metadata of a new store.
  init(model: ManagedObjectModel, identifier: String) {
    self.init(
      identifier: identifier, versionHashes: model.entityVersionHashesByName.mapValues { Data($0) },
      versionIdentifiers: model.versionIdentifiers)
  }

  /// The entities whose hash differs, is missing, or has no counterpart, by name.
  func differences(from model: ManagedObjectModel) -> [String] {
    let mine = model.entityVersionHashesByName.mapValues { Data($0) }
    let names = Set(mine.keys).union(versionHashes.keys)
    return names.filter { name in
      guard mine[name] != versionHashes[name] else { return false }
      guard let layout = model.layout(named: name), let stored = versionHashes[name] else {
        return true
      }
      return !layout.isPartial && layout.formerHash.map { Data($0) } != stored
    }.sorted()
  }
}

extension StoreMetadata {
  /// The identity and the hashes that a store has now; nil where it has none that can be read.
  static func present(_ connection: Connection) throws -> StoreMetadata? {
    let statement = try Statement(
      connection.handle, "SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { return nil }
    return StoreMetadata(identifier: statement.text(0), propertyList: statement.bytes(1))
  }

  /// Writes the property list, with what others have written into the old one.
  func write(_ connection: Connection) throws {
    try Self.replacePropertyList(
      with: propertyList(keeping: Self.presentList(connection)), connection)
  }

  /// The property list that a store has now; empty where it has none.
  private static func presentList(_ connection: Connection) throws -> [UInt8] {
    let statement = try Statement(
      connection.handle, "SELECT Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    return try statement.step() ? statement.bytes(0) : []
  }

  /// Writes a property list in place of the one that is there.
  static func replacePropertyList(with list: [UInt8], _ connection: Connection) throws {
    // Not by the identifier, which need not be a text in a file of others.
    let update = try Statement(
      connection.handle,
      """
      UPDATE Z_METADATA SET Z_PLIST = ?
      WHERE Z_VERSION IS (SELECT Z_VERSION FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1)
      """)
    try update.bind([.blob(list)])
    try update.run()
    guard connection.changes == 1 else {
      throw CauldronError(
        .storeCorrupt, "Cannot write the store's metadata: the table Z_METADATA takes no row.",
        hint: "Look whether a trigger or a view keeps it from that, or restore a copy.")
    }
  }

  /// The property list, with what others have written into the old one.
  func propertyList(keeping old: [UInt8]) throws -> [UInt8] {
    guard let list = Self.entries(of: old), let own = Self.dictionary(Data(try propertyList())),
      // Foundation cannot write some lists, such as one with a key that is no text; they are left out.
      let all = try? PropertyListSerialization.data(
        fromPropertyList: list.merging(own) { $1 }, format: .binary, options: 0)
    else { return try propertyList() }
    return [UInt8](all)
  }

  /// All entries that a store has now; nil where they cannot be read as a whole.
  static func entries(_ connection: Connection) throws -> [String: Any]? {
    let list = try presentList(connection)
    return list.isEmpty ? [:] : entries(of: list)
  }

  /// Whether a list can be read again, by an opening as well as here.
  static func isReadable(_ list: [UInt8]) -> Bool {
    entries(of: list) != nil && StoreMetadata(identifier: "", propertyList: list) != nil
  }

  /// Whether an entry is the store's own, and not one of the program.
  static func isOwn(_ key: String) -> Bool {
    ["NS", "_NS", "Cauldron"].contains { key.hasPrefix($0) }
  }

  private static func entries(of list: [UInt8]) -> [String: Any]? {
    // A small list may stand for a tree of any size, of which Foundation would make each object.
    var most = 100_000
    guard var reader = try? PropertyListReader(list), reader.isShallow(),
      reader.isTree(reader.top, of: &most)
    else { return nil }
    return dictionary(Data(list))
  }

  private static func dictionary(_ data: Data) -> [String: Any]? {
    try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
      as? [String: Any]
  }
}

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
