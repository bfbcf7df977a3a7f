import CauldronModel

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
      return sums.compactMap { key, sum in
        guard let found = list.text(key), found != sum else { return nil }
        return StoreFinding(
          .metadataDigest, "The metadata's \(key) is not that of their version hashes.")
      }
    }
  }
}
