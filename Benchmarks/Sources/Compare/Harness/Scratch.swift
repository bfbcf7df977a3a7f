import Foundation

/// The files of this process, all in one folder that goes away with it.
enum Scratch {
  private static let folder = FileManager.default.temporaryDirectory
    .appending(path: "cauldron-compare-\(UUID().uuidString)")

  /// A store's file that does not exist yet.
  static func file() throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: "\(UUID().uuidString).sqlite")
  }

  /// Removes a store's files.
  static func remove(_ url: URL) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }

  /// Removes everything.
  static func removeAll() { try? FileManager.default.removeItem(at: folder) }
}
