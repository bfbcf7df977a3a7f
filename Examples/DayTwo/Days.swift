import Foundation

/// Runs the versions one after the other, as a user would: the first, the second, and the first again.
enum Days {
  static func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "DayTwo-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "people.sqlite")
    for version in ["v1", "v2", "v1"] {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [version, store.path]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure(version: version) }
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let version: String
    var description: String { "version \(version) has failed" }
  }
}
