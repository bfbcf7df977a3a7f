import Foundation
import TestSupport

/// A Chromium without a window, driven by the WebDriver protocol: HTTP and JSON.
final class Browser {
  /// Whether there is one on this machine.
  static let isInstalled = find("chromium") != nil && find("chromedriver") != nil

  private let driver: RunningProgram
  private let profile: TemporaryDirectory
  private let port: UInt16
  private var session = ""
  /// When whatever it is asked has to be done. Where something is wrong, a test ends soon.
  private let end = ContinuousClock.now + .seconds(70 * slack)

  /// Starts one with a profile of its own.
  init() async throws {
    profile = try TemporaryDirectory()
    let process = Process()
    process.executableURL = Self.find("chromedriver")
    process.arguments = ["--port=0"]
    driver = try RunningProgram(process)
    let text = try await driver.text(after: "started successfully on port ")
    port = UInt16(text.prefix { $0.isNumber }) ?? 0
    let made: NewSession = try await send("POST", body: Capabilities(profile: profile.url.path))
    session = "/\(made.sessionId)"
  }

  /// Ends what is left of it. A driver that is killed leaves its browser behind, whose processes are
  /// known by the profile.
  deinit {
    for process in Self.processes(naming: profile.url.path) { kill(process, SIGKILL) }
  }

  /// Ends it; its driver ends with the last reference.
  func close() async throws { let _: Nothing = try await send("DELETE") }

  func open(_ address: String) async throws {
    let _: Nothing = try await send("POST", "url", body: ["url": address])
  }

  /// Runs a piece of JavaScript in the page, and gives what it returns.
  func script<Value: Decodable>(_ text: String) async throws -> Value {
    try await send("POST", "execute/sync", body: Script(script: text))
  }

  /// Waits until a condition in JavaScript holds.
  func wait(_ condition: String) async throws {
    let end = min(end, .now + .seconds(20 * slack))
    while ContinuousClock.now < end {
      if try await script("return Boolean(\(condition))") { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw BrowserError(description: "In vain waited for: \(condition)")
  }

  /// Clicks what a selector finds first.
  func click(_ selector: String) async throws {
    let _: Nothing = try await send(
      "POST", "element/\(try await element(selector))/click", body: [String: String]())
  }

  /// Types into an empty field as a keyboard does.
  func type(_ text: String, into selector: String) async throws {
    let element = try await element(selector)
    let _: Nothing = try await send(
      "POST", "element/\(element)/clear", body: [String: String]())
    let _: Nothing = try await send("POST", "element/\(element)/value", body: ["text": text])
  }

  /// A picture of the page as PNG.
  func screenshot() async throws -> Data {
    let text: String = try await send("GET", "screenshot")
    guard let data = Data(base64Encoded: text) else {
      throw BrowserError(description: "The picture cannot be read.")
    }
    return data
  }

  private func element(_ selector: String) async throws -> String {
    let found: [String: String] = try await send(
      "POST", "element", body: ["using": "css selector", "value": selector])
    guard let id = found.values.first else {
      throw BrowserError(description: "There is no \(selector).")
    }
    return id
  }

  private func send<Value: Decodable>(
    _ method: String, _ command: String = "", body: (some Encodable)? = Nothing?.none
  ) async throws -> Value {
    let path = "/session\(session)\(command.isEmpty ? "" : "/\(command)")"
    let data: Data
    do {
      data = try await PlainHTTP.send(
        method, path, port: port, body: try body.map { try JSONEncoder().encode($0) },
        within: min((end - .now) / .seconds(1), 30 * slack))
    } catch let error as BrowserError {
      throw BrowserError(description: "\(method) \(path): \(error)")
    }
    do { return try JSONDecoder().decode(Answer<Value>.self, from: data).value } catch {
      let answer = String(decoding: data.prefix(500), as: UTF8.self)
      throw BrowserError(description: "\(method) \(command): \(answer)")
    }
  }

  private static func find(_ program: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: program) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The processes in whose command lines a text stands.
  private static func processes(naming text: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return line.firstRange(of: Data(text.utf8)) != nil
    }
  }
}
