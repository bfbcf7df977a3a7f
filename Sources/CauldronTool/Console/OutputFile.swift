import CauldronModel
import Foundation

/// The output file of a command; a different file of the name is replaced by force alone.
struct OutputFile {
  let path: String
  let isForced: Bool

  /// Writes a text.
  /// - Throws: `store.io` where there is another file, or the text cannot be written.
  func write(_ text: String) throws {
    let bytes = Data(text.utf8)
    let isThere = FileManager.default.fileExists(atPath: path)
    if isThere, !isForced, FileManager.default.contents(atPath: path) != bytes {
      throw CauldronError(
        .storeIO, "\"\(path)\" is there already, and may have been edited.",
        hint: "Give another name, or --force to replace it.")
    }
    do {
      try bytes.write(to: URL(filePath: path))
    } catch {
      throw CauldronError(
        .storeIO, "Cannot write \"\(path)\": \(error.localizedDescription)",
        hint: "Check the path.")
    }
  }
}
