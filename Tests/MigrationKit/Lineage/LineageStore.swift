import Cauldron
import CauldronModel
import Foundation
import Logging

/// A store that is opened with one version of a random model after another.
struct LineageStore {
  let url: URL

  /// Opens the store, works with it in a context, saves, and closes.
  @discardableResult
  func open<G, R>(
    _ model: RandomModel<G>, migrates: Bool = true, _ work: (ManagedObjectContext) throws -> R
  ) throws -> R {
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .critical
    configuration.migration = migrates ? .automatic(discarding: model.losses) : .never
    let stack = try Stack(
      storeURL: url, model: ManagedObjectModel(entities: model.entities),
      configuration: configuration)
    defer { try? stack.close() }
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let result = try work(context)
    try context.saveAndWait(toPersistentStore: true)
    return result
  }

  func copy(to other: URL) throws {
    for end in ["", "-wal", "-shm"] {
      let (from, to) = (url.path + end, other.path + end)
      try? FileManager.default.removeItem(atPath: to)
      if FileManager.default.fileExists(atPath: from) {
        try FileManager.default.copyItem(atPath: from, toPath: to)
      }
    }
  }

  /// Removes the file and what lies beside it.
  func remove() {
    let folder = url.deletingLastPathComponent()
    let stem = url.deletingPathExtension().lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(stem) {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }
}
