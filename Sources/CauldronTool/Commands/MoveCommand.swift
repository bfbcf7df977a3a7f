package import ArgumentParser
import CauldronModel
import CauldronSQLite
import Foundation

/// `cauldron move STORE TO`.
package struct MoveCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Gives a store another place in the same file system.",
    discussion: """
      What is in its log goes along. A store that somebody has open is not moved, and no file's place is \
      taken. Across file systems use `cauldron backup STORE TO`, and then `cauldron destroy STORE`.
      """)

  @OptionGroup var argument: StoreArgument

  @Argument(help: "Where the store is to lie.", completion: .file())
  var to: String

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    try StoreRelocation(of: argument.url).move(to: URL(filePath: to))
    console.write("\(argument.store) → \(to)")
    return ToolStatus.good
  }
}

/// `cauldron destroy STORE`.
package struct DestroyCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "destroy",
    abstract: "Deletes a store with its log.",
    discussion: """
      A store that somebody has open, and a file that is no store, are left alone. Copies beside it stay: \
      `cauldron restore` brings it back from one.
      """)

  @OptionGroup var argument: StoreArgument

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let isThere = FileManager.default.fileExists(atPath: argument.store)
    try StoreRelocation(of: argument.url).destroy()
    console.write(isThere ? "\(argument.store) is gone" : "There is no \(argument.store)")
    return ToolStatus.good
  }
}

/// `cauldron metadata STORE`.
package struct MetadataCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "metadata",
    abstract: "Shows what a store says of itself, or has it say more.",
    discussion: """
      Entries whose names begin with NS, _NS or Cauldron are the store's own, and cannot be set. Programs \
      read the others with Stack.metadata(ofStoreAt:).
      """)

  @OptionGroup var argument: StoreArgument

  @Option(help: "Set an entry to a text, as name=value; may stand several times.")
  var set: [String] = []

  @Option(help: "Take an entry away; may stand several times.")
  var remove: [String] = []

  package init() {}

  package func validate() throws {
    for entry in set where !entry.dropFirst().contains("=") {
      throw ValidationError("--set takes name=value, and not '\(entry)'.")
    }
  }

  package func perform(_ console: Console) throws -> Int32 {
    let metadata = OutsideMetadata(of: argument.url)
    var entries = try metadata.read()
    if !set.isEmpty || !remove.isEmpty {
      for name in remove { entries[name] = nil }
      for entry in set {
        let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        entries[String(parts[0])] = String(parts[1])
      }
      try metadata.write(entries)
      entries = try metadata.read()
    }
    var table = TextTable(.left, .left)
    for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
      table.add(name, Self.text(value))
    }
    for line in table.lines() { console.write(line) }
    return ToolStatus.good
  }

  /// A value of a property list on one line.
  private static func text(_ value: Any) -> String {
    switch value {
    case let data as Data: data.base64EncodedString()
    case let date as Date: date.ISO8601Format()
    case let list as [Any]: list.map(text).joined(separator: ", ")
    case let entries as [String: Any]:
      entries.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
        .joined(separator: ", ")
    default: "\(value)"
    }
  }
}
