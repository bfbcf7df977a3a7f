import CauldronModel
import Foundation

extension StoreMigration {
  /// Where the store lies as it was before values were lost: beside it, one for each store.
  static func backupURL(_ url: URL) -> URL {
    url.deletingPathExtension().appendingPathExtension("backup.\(url.pathExtension)")
  }

  /// Copies the store as it is, while nobody else can write.
  func backUp() throws {
    let url = Self.backupURL(file.url)
    let part = url.appendingPathExtension("part")
    try? FileManager.default.removeItem(at: part)
    // The writer's transaction cannot copy; another connection sees what is committed.
    let reader = try Connection(path: file.path, mode: .readOnly, busyTimeout: 5)
    try reader.execute("VACUUM INTO \(SQLIdentifier.literal(part.path))")
    _ = try? FileManager.default.removeItem(at: url)
    try FileManager.default.moveItem(at: part, to: url)
  }
}
