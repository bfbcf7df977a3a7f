import Foundation
import TestSupport
import Testing

/// The program beside the tests that plays the other process.
enum SoakProgram {
  struct Outcome: Sendable {
    let status: Int32
    let output: String
  }

  static let url: URL? = {
    let products = Bundle.main.executableURL?.deletingLastPathComponent()
    guard let url = products?.appending(path: "soak"),
      FileManager.default.isExecutableFile(atPath: url.path)
    else { return nil }
    return url
  }()

  /// A sanitizer makes other processes slow, and sees nothing of them.
  static let isUsable = url != nil && !Sanitizer.isOn

  static let skip: Comment = "needs the program soak, built without a sanitizer"

  /// Starts it, and gives what it printed when it has ended.
  static func run(_ arguments: [String]) async throws -> Outcome {
    let url = try #require(url)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try runAndWait(url, arguments) })
      }
    }
  }

  private static func runAndWait(_ url: URL, _ arguments: [String]) throws -> Outcome {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}
