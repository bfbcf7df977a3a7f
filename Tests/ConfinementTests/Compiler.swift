import Foundation
import TestSupport

/// Compiles small programs against the library that was built for these tests.
struct Compiler {
  /// How programs are compiled.
  struct Mode {
    /// Whether everything is the main actor's by default; then the programs bring their own entities.
    var isMainActor = false
    /// Whether the program is a `main.swift`; then it is compiled alone.
    var isTopLevel = false
    /// Whether the program declares the entities that it uses.
    var bringsEntities = false
    /// Whether as for a release.
    var isOptimized = false
  }

  /// The errors of a compilation.
  struct Outcome {
    let isCompiled: Bool
    /// All that the compiler wrote.
    let text: String

    /// The lines with errors.
    var errors: [String] {
      text.split(separator: "\n").map(String.init).filter { $0.contains("error: ") }
    }
  }

  private let swiftc: URL
  private let products: URL
  private let sources: URL

  /// Nil where there is no compiler, or where the library was built for a sanitizer.
  init?() {
    guard let swiftc = Self.findCompiler(), !Sanitizer.isOn,
      let products = Bundle.main.executableURL?.deletingLastPathComponent(),
      FileManager.default.fileExists(atPath: products.appending(path: "Modules").path)
    else { return nil }
    self.swiftc = swiftc
    self.products = products
    sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
  }

  /// Compiles programs as one module, with `-c`: some errors are found after type checking.
  func compile(_ programs: [URL], _ mode: Mode) throws -> Outcome {
    let directory = try TemporaryDirectory()
    var programs = programs
    if mode.isTopLevel, let program = programs.first {
      programs = [directory.file("main.swift")]
      try FileManager.default.copyItem(at: program, to: programs[0])
    }
    if !mode.isMainActor, !mode.bringsEntities {
      programs.append(Self.programs.appending(path: "Entities.swift"))
    }
    let pipe = Pipe()
    let process = Process()
    process.executableURL = swiftc
    process.arguments =
      arguments + (mode.isTopLevel ? [] : ["-parse-as-library"])
      + ["-o", directory.file("program.o").path] + programs.map(\.path)
      + (mode.isOptimized ? ["-O"] : [])
      + (mode.isMainActor ? ["-default-isolation", "MainActor"] : [])
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(
      isCompiled: process.terminationStatus == 0, text: text)
  }

  private var arguments: [String] {
    var arguments = [
      "-c", "-swift-version", "6", "-wmo", "-module-name", "Program", "-warnings-as-errors",
    ]
    for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
      arguments += ["-enable-upcoming-feature", feature]
    }
    let modules = [
      products.appending(path: "Modules"), sources.appending(path: "CCauldron/include"),
      sources.appending(path: "CSQLite"),
    ]
    for folder in modules { arguments += ["-I", folder.path] }
    // The build writes a map for a C target that has none.
    let map = products.appending(path: "CCauldron.build/module.modulemap").path
    if FileManager.default.fileExists(atPath: map) {
      arguments += ["-Xcc", "-fmodule-map-file=\(map)"]
    }
    let plugin = products.appending(path: "CauldronMacros-tool").path
    return arguments + ["-load-plugin-executable", "\(plugin)#CauldronMacros"]
  }

  /// The programs that must or must not compile.
  static func programs(in folder: String) -> [String] {
    let path = programs.appending(path: folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted()
  }

  static let programs = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Programs")

  private static func findCompiler() -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
