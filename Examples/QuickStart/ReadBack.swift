import Cauldron
import Foundation

/// A file in a new folder of its own.
func scratchFile(_ name: String) throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appending(path: "QuickStart-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appending(path: name)
}

/// Opens the file anew and prints what it holds.
func readBack(_ url: URL, didSave: Bool, error: (any Error)?) -> Never {
  do {
    if let error { throw error }
    try Stack.cleanUp()
    let stack = try setupStack(storeURL: url)
    let names = try stack.defaultContext.performAndWait { context in
      try Person.findAll(sortedBy: \.name, in: context).map(\.name)
    }
    print("saved: \(didSave); read back from the file: \(names)")
    try Stack.cleanUp()
  } catch {
    print(error)
    exit(1)
  }
  if CommandLine.arguments.contains("--keep") {
    print("store: \(url.path)")
  } else {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
  exit(0)
}
