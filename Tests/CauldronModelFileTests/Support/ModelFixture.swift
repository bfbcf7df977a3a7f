import CSQLite
import CauldronArchive
import CauldronModel
import CauldronModelFile
import Foundation
import TestSupport
import Testing

/// A model that Core Data archived, with the version hashes that it computed.
struct ModelFixture: CustomTestStringConvertible {
  let name: String
  /// The folder of the project that it is of.
  let project: String
  /// The archive, or the cache of a store.
  let bytes: [UInt8]
  let isCache: Bool
  let hashes: [String: [UInt8]]

  var testDescription: String { name }

  func model() throws(ArchiveFailure) -> StoredModel {
    isCache ? try StoredModel(cache: bytes) : try StoredModel(archive: bytes)
  }

  /// Every fixture there is; none where they are absent.
  static let all: [ModelFixture] = {
    guard let root = Fixtures.url("."),
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    else { return [] }
    let urls = files.compactMap { $0 as? URL }.sorted { $0.path < $1.path }
    return urls.compactMap { $0.pathExtension == "mom" ? modelFile($0) : store($0) }
  }()

  private static func modelFile(_ url: URL) -> ModelFixture? {
    let folder = url.deletingLastPathComponent()
    let version = url.deletingPathExtension().lastPathComponent
    guard let bytes = try? Data(contentsOf: url),
      let info = propertyList(try? Data(contentsOf: folder.appending(path: "VersionInfo.plist"))),
      let versions = info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]],
      let hashes = versions[version]
    else { return nil }
    return ModelFixture(
      name: "\(folder.lastPathComponent)/\(url.lastPathComponent)",
      project: SourceFixture.project(of: url), bytes: [UInt8](bytes),
      isCache: false, hashes: hashes.mapValues { [UInt8]($0) })
  }

  /// The cache of a store; nil where the file is none or has none.
  private static func store(_ url: URL) -> ModelFixture? {
    guard let file = try? FileHandle(forReadingFrom: url),
      let start = try? file.read(upToCount: 15), start == Data("SQLite format 3".utf8),
      let cache = blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url),
      let metadata = propertyList(blob("SELECT Z_PLIST FROM Z_METADATA", in: url)),
      let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data]
    else { return nil }
    return ModelFixture(
      name: url.lastPathComponent, project: SourceFixture.project(of: url), bytes: [UInt8](cache),
      isCache: true,
      hashes: hashes.mapValues { [UInt8]($0) })
  }

  private static func propertyList(_ data: Data?) -> [String: Any]? {
    guard let data else { return nil }
    let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    return list as? [String: Any]
  }

  /// The one blob that a query gives; the file is not touched.
  private static func blob(_ query: String, in url: URL) -> Data? {
    let place = "\(url.absoluteString)?mode=ro&immutable=1"
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard
      sqlite3_open_v2(place, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
      sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
    else { return nil }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
  }
}
