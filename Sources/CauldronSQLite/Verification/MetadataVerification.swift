import CauldronArchive
import CauldronModel
import CauldronModelFile
import CauldronStore

/// Compares what the metadata say of their own hashes with these.
struct MetadataVerification {
  let connection: Connection
  let metadata: StoreMetadata

  var findings: [StoreFinding] {
    get throws {
      var list = try MetadataList(connection)
      let sums = [
        ("NSStoreModelVersionHashesDigest", metadata.digest),
        ("NSStoreModelVersionChecksumKey", metadata.checksum),
      ]
      return try identifier()
        + sums.compactMap { key, sum in
          guard let found = list.text(key), found != sum else { return nil }
          return StoreFinding(
            .metadataDigest, "The metadata's \(key) is not that of their version hashes.")
        }
    }
  }

  /// Whether the store has an identifier, by which the IDs of its objects are told from those of others.
  private func identifier() throws -> [StoreFinding] {
    let statement = try Statement(
      connection.handle,
      "SELECT typeof(Z_UUID), CAST(Z_UUID AS BLOB) FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { return [] }
    let type = statement.text(0)
    let bytes = statement.isNull(1) ? [] : statement.bytes(1)
    if type == "text", !bytes.isEmpty, String(validating: bytes, as: UTF8.self) != nil { return [] }
    let what =
      type == "text"
      ? bytes.isEmpty ? "is empty" : "is no valid UTF-8" : "is of type \(type), and not a text"
    return [
      StoreFinding(.metadataIdentifier, "The store's identifier (Z_UUID of Z_METADATA) \(what).")
    ]
  }
}

/// The property list of the metadata; an empty one where it cannot be read.
struct MetadataList {
  private var reader: PropertyListReader?
  private var members: [String: Int] = [:]

  init(_ connection: Connection) throws {
    let statement = try Statement(
      connection.handle, "SELECT Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step(), var reader = try? PropertyListReader(statement.bytes(0)),
      reader.isShallow()
    else { return }
    members = (try? reader.members(of: reader.top)) ?? [:]
    self.reader = reader
  }

  var keys: [String] { members.keys.sorted() }

  mutating func integer(_ key: String) -> Int? {
    guard let number = members[key], case .integer(let value)? = try? reader?.object(number) else {
      return nil
    }
    return value
  }

  mutating func texts(_ key: String) -> [String] {
    members[key].flatMap { reader?.texts($0) } ?? []
  }

  mutating func text(_ key: String) -> String? {
    guard let number = members[key], case .text(let text)? = try? reader?.object(number) else {
      return nil
    }
    return text
  }
}
