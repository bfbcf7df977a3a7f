import ArgumentParser
import Cauldron
import CauldronModel
import Dispatch
import Foundation
import Logging

/// One of the processes: four contexts on four threads that ask for the same names.
struct NamesWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "names-worker", shouldDisplay: false)

  @Argument var store: String
  /// 0 or 1.
  @Argument var process: Int
  @Argument var names: Int
  @Argument var seed: UInt64
  @Flag var discards = false

  func run() throws {
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .critical
    configuration.synchronous = .normal
    configuration.busyTimeout = 60
    configuration.mainQueue = DispatchQueue(label: "names main")
    let stack = try Stack(
      storeURL: URL(filePath: store), model: NamesModel.make(), configuration: configuration)
    // Both processes begin at once.
    print("ready")
    fflush(nil)
    _ = readLine()
    let lines = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: NamesModel.contexts) { number in
      let found: [String]
      do {
        found = try ask(process * NamesModel.contexts + number, stack)
      } catch {
        found = ["failed \(error)\(Self.details(error))"]
      }
      lines.withLock { $0 += found }
    }
    print(lines.withLock { $0.joined(separator: "\n") })
    try stack.close()
  }

  /// What each property in conflict was, and is.
  private static func details(_ error: any Error) -> String {
    let conflicts = (error as? CauldronError)?.conflicts ?? []
    return conflicts.map { " \($0.objectID): \($0.properties)" }.joined(separator: ";")
  }

  /// Asks for all names in an order of its own.
  /// - Returns: A line for each object that was saved.
  private func ask(_ asker: Int, _ stack: Stack) throws -> [String] {
    var random = SoakGenerator(seed: seed &+ UInt64(asker) &* 7_919)
    var rest = (0..<names).map { "n\($0)" }.shuffled(using: &random)[...]
    var context = makeContext(asker, stack)
    var saved: [(context: ManagedObjectContext, objects: [Name])] = []
    while !rest.isEmpty {
      let some = rest.prefix(Int.random(in: 1...60, using: &random))
      rest = rest.dropFirst(some.count)
      let objects = try some.map { name in
        let object = try Name.findOrCreate(\.text, name, in: context)
        try object.setValue(1, forKey: "mark\(asker)")
        return object
      }
      if discards, Bool.random(using: &random) {
        // Some contexts are used again, others are thrown away with what they made.
        if Bool.random(using: &random) {
          context.rollback()
        } else {
          context = makeContext(asker, stack)
        }
      } else {
        try context.saveAndWait(toPersistentStore: true)
        saved.append((context, objects))
      }
    }
    return saved.flatMap { context, objects in
      context.processPendingChanges()
      return objects.map { NamesReport(asker, $0).description }
    }
  }

  /// A context whose saves go through the whole chain, or past the main context.
  private func makeContext(_ asker: Int, _ stack: Stack) -> ManagedObjectContext {
    let parent = asker.isMultiple(of: 2) ? stack.defaultContext : stack.rootSavingContext
    return ManagedObjectContext(.private, parent: parent, name: "Asker \(asker)")
  }
}
