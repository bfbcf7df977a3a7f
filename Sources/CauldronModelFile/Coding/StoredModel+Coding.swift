package import CauldronArchive

extension StoredModel {
  /// Reads a `.mom` file: a keyed archive.
  package init(archive: [UInt8]) throws(ArchiveFailure) {
    var reader = ModelReader(try KeyedArchive(archive))
    self = try reader.model()
  }

  /// Reads the content of `Z_MODELCACHE`: a keyed archive, compressed by DEFLATE without a header.
  package init(cache: [UInt8]) throws(ArchiveFailure) {
    try self.init(archive: Inflate.bytes(of: cache, atMost: KeyedArchive.longest))
  }

  /// The model in the form of a `.mom` file; equal models give equal bytes.
  package func archive() -> [UInt8] {
    var writer = ModelWriter(self)
    return writer.bytes()
  }

  /// The model in the form of `Z_MODELCACHE`.
  package func cache() -> [UInt8] { StoredBlocks.bytes(of: archive()) }
}
