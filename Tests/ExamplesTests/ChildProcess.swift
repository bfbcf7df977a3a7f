import Foundation
import TestSupport

/// An example program, run as a user runs it.
struct ChildProcess {
  /// How a program ended and what it wrote.
  struct Outcome {
    let exitCode: Int32
    let output: String
    let errors: String

    var outputLines: [String] { lines(output) }
    var errorLines: [String] { lines(errors) }

    private func lines(_ text: String) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
    }
  }

  private let executable: URL
  /// Where the program may keep temporary files.
  private let folder: TemporaryDirectory
  /// What the program's environment has besides the tests'.
  private let environment: [String: String]

  init(_ name: String, environment: [String: String] = [:]) throws {
    self.environment = environment
    executable = try Self.builtProgram(name)
    folder = try TemporaryDirectory()
  }

  /// Starts the program, which runs until it is ended.
  func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(process(arguments))
  }

  /// Runs the program to its end; what is piped in must fit into a pipe.
  func run(_ arguments: String..., piping input: String? = nil) async throws -> Outcome {
    let output = try TemporaryDirectory()
    let process = process(arguments)
    process.standardOutput = try Self.emptyFile(output.file("out"))
    process.standardError = try Self.emptyFile(output.file("err"))
    process.standardInput = try input.map(Self.pipe) ?? FileHandle.nullDevice
    try await Self.finish(process)
    return Outcome(
      exitCode: process.terminationStatus,
      output: try String(contentsOf: output.file("out"), encoding: .utf8),
      errors: try String(contentsOf: output.file("err"), encoding: .utf8))
  }

  /// What the program left in its temporary folder.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  private func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": folder.url.path]) { $1 }
      .merging(environment) { $1 }
    return process
  }

  private static func finish(_ process: Process) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in done.resume() }
        do { try process.run() } catch {
          process.terminationHandler = nil
          done.resume(throwing: error)
        }
      }
    } onCancel: {
      process.terminate()
    }
  }

  private static func pipe(_ input: String) throws -> Pipe {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    return pipe
  }

  private static func emptyFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  /// A build of the tests builds the programs beside them.
  private static func builtProgram(_ name: String) throws -> URL {
    let products = Bundle.main.executableURL?.deletingLastPathComponent()
    let standard = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../.build/debug").standardized
    let places = [products, standard].compactMap { $0?.appending(path: name) }
    if let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) {
      return found
    }
    throw MissingProgram(description: "\(name) is not in \(places.map(\.path))")
  }

  private struct MissingProgram: Error, CustomStringConvertible {
    let description: String
  }
}
