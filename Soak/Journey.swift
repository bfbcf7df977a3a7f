import ArgumentParser
import Cauldron
import Foundation
import Logging

/// Saves one changed property through three levels, again and again: `Scripts/journey` compares the coverage of two
/// runs, and so counts the functions that such a save enters.
struct Journey: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journey", abstract: "Saves one property through three levels.")

  @Option(help: "How often the property is edited.") var edits = 4
  @Option(help: "How many of the edits are saved.") var saves = 4

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "journey-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .error
    let stack = try Stack(
      storeURL: folder.appending(path: "Journey.sqlite"), model: KillModel.make(),
      configuration: configuration)
    let context = ManagedObjectContext(.private, parent: stack.defaultContext, name: "Journey")
    let id = try context.performAndWait { local in
      let counter = Counter.create(in: local)
      try local.context.obtainPermanentIDs(for: [counter])
      return counter.objectID
    }
    try context.saveAndWait(toPersistentStore: true)
    for number in 1...max(edits, 1) {
      try context.performAndWait { local in
        (try local.existingObject(with: id) as? Counter)?.saves = number
      }
      if number <= saves { try context.saveAndWait(toPersistentStore: true) }
    }
    try stack.close()
  }
}
