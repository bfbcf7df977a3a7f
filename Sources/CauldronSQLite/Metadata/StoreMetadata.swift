import CauldronModel
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
    return names.filter { mine[$0] != versionHashes[$0] }.sorted()
  }
}
