import Foundation

struct ChildFailure: Error {
  let reason: String
}

/// Runs this program again with other arguments, and reads what it writes into a file.
enum ChildProcess {
  static func run<Result: Decodable>(_ arguments: [String], as type: Result.Type) throws -> Result {
    let output = FileManager.default.temporaryDirectory
      .appending(path: "cauldron-compare-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments + ["--output", output.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ChildFailure(reason: "ended with status \(process.terminationStatus)")
    }
    return try JSONDecoder().decode(type, from: Data(contentsOf: output))
  }
}
