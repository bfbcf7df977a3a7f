import ArgumentParser
import CauldronTool
import Foundation
import Testing

/// What an error tells people to do can be done: commands and calls that hints name exist.
@Suite struct HintTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardized

  /// All of the sources, but for comments.
  private static let text: String = {
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let urls = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
    let lines = urls.flatMap { url in
      ((try? String(contentsOf: url, encoding: .utf8)) ?? "").split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }
    }
    return lines.joined(separator: "\n")
  }()

  /// The texts in quotation marks.
  private static let literals = text.matches(of: /"((?:\\.|[^"\\\n])*)"/).map { String($0.1) }

  @Test func `every command of the tool that a text names is one of its subcommands`() {
    let names = CauldronCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" }
    let named = Self.literals.flatMap { $0.matches(of: /`cauldron ([a-z-]+)/).map { String($0.1) } }
    #expect(named.count >= 5, "the sources were not found")
    #expect(Set(named).subtracting(names).isEmpty)
    // In text that spans several lines, too.
    let all = Self.text.matches(of: /`cauldron ([a-z-]+)/).map { String($0.1) }
    #expect(Set(all).subtracting(names).isEmpty)
  }

  @Test func `every option of the tool that its texts name exists`() {
    let commands = CauldronCommand.configuration.subcommands.flatMap {
      [$0] + $0.configuration.subcommands
    }
    let declared = commands.map { $0.helpMessage(columns: 1000) }.joined()
    let named = Self.literals.flatMap { $0.matches(of: /(--[a-z]+)/).map { String($0.1) } }
    #expect(!named.isEmpty)
    for option in Set(named) { #expect(declared.contains(option), "\(option)") }
  }

  @Test func `every call of a stack and every setting that a text names exists`() {
    // A new name that is a property's is written as its getter's.
    let calls = Self.literals.filter { !$0.hasPrefix("getter:") }
      .flatMap { $0.matches(of: /Stack\.(\w+)\(/).map { String($0.1) } }
    #expect(!calls.isEmpty)
    for name in Self.literals.compactMap({ $0.wholeMatch(of: /getter:Stack\.(\w+)\(\)/)?.1 }) {
      let isThere = ["public static var \(name):", "public static let \(name) ="].contains(
        where: Self.text.contains)
      #expect(isThere, "\(name)")
    }
    for call in Set(calls) { #expect(Self.text.contains("public static func \(call)("), "\(call)") }
    let settings = Self.literals.flatMap {
      $0.matches(of: /configuration\.(\w+)/).map { String($0.1) }
    }
    #expect(!settings.isEmpty)
    for setting in Set(settings) {
      let isThere = ["public var \(setting) =", "public var \(setting):"].contains(
        where: Self.text.contains)
      #expect(isThere, "\(setting)")
    }
  }
}
