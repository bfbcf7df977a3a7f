import ArgumentParser
import Cauldron
import Foundation
import Logging

/// The process that is killed: it saves through the whole chain for ever, and tells of every save
/// that was reported to it.
struct KillWorker: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "kill-worker", shouldDisplay: false)

  @Argument var store: String
  @Argument var seed: UInt64

  func run() async throws {
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .error
    let stack = try setupStack(
      storeURL: URL(filePath: store), model: KillModel.make(), configuration: configuration)
    let last = try await stack.rootSavingContext.perform { context in
      try Counter.findFirst(in: context)?.saves ?? 0
    }
    var random = SoakGenerator(seed: seed)
    var number = last
    while true {
      number += 1
      try await save(number, &random, in: .contextWithParent(.default))
      print(number)
      fflush(nil)
    }
  }

  private func save(
    _ number: Int, _ random: inout SoakGenerator, in context: ManagedObjectContext
  ) async throws {
    let size = Int.random(in: 1...12, using: &random)
    // Now and then a save that fills many pages.
    let length = Int.random(in: 0..<20, using: &random) == 0 ? 20_000 : 40
    let payload = String(repeating: "x", count: Int.random(in: 0...length, using: &random))
    try await context.perform { context in
      try KillModel.add(number, size: size, payload: payload, in: context)
    }
    if number.isMultiple(of: 2) {
      try await context.save(toPersistentStore: true)
    } else {
      try await saveWithCompletion(context)
    }
  }

  private func saveWithCompletion(_ context: ManagedObjectContext) async throws {
    let didSave: Bool = try await withCheckedThrowingContinuation { continuation in
      context.save(toPersistentStore: true) { didSave, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: didSave)
        }
      }
    }
    if !didSave { throw ExitCode(3) }
  }
}
