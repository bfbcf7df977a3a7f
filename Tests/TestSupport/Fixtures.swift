package import Foundation
package import Testing

/// Stores and models that Apple's framework wrote; they lie beside the repository, if at all.
package enum Fixtures {
  /// The place of a fixture, or nil where there are none.
  package static func url(_ path: String) -> URL? {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let url = folder.appending(path: "shared/fixtures").appending(path: path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// For `.enabled(if:)`.
  package static func exists(_ path: String) -> Bool { url(path) != nil }

  /// The comment of a test that is skipped without its fixture.
  package static func skip(_ path: String) -> Comment {
    "needs the fixture \(path), which is not part of this repository"
  }
}
