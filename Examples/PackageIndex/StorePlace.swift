import Foundation

/// Where the store lies, and whether it stays.
struct StorePlace {
  let url: URL
  private let temporaryFolder: URL?

  /// A new file at a path, or one in a temporary folder of its own.
  init(path: String?) throws {
    if let path {
      if FileManager.default.fileExists(atPath: path) {
        throw ProgramError("Cannot create the store \(path): the file exists already.")
      }
      url = URL(filePath: path)
      temporaryFolder = nil
    } else {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "PackageIndex-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      url = folder.appending(path: "packages.sqlite")
      temporaryFolder = folder
    }
  }

  func removeIfTemporary() {
    guard let temporaryFolder else { return }
    try? FileManager.default.removeItem(at: temporaryFolder)
  }
}
