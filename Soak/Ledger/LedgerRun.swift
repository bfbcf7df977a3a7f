import Cauldron
import Foundation
import Logging

/// One store, with all who save to it.
final class LedgerRun: Sendable {
  let plan: LedgerPlan
  let stack: Stack
  let book = LedgerBook()
  let ids: [ManagedObjectID]
  /// On the coordinator, beside the stack's own contexts: one takes in what others save.
  let sibling: ManagedObjectContext
  let staleSibling: ManagedObjectContext
  let secondRoot: ManagedObjectContext
  private let url: URL

  init(_ plan: LedgerPlan, _ url: URL) throws {
    (self.plan, self.url) = (plan, url)
    var configuration = StackConfiguration()
    configuration.synchronous = .normal
    configuration.busyTimeout = 0.02
    configuration.logger = Logger(label: "ledger") { _ in SwiftLogNoOpLogHandler() }
    configuration.mainQueue = DispatchQueue(label: "ledger main")
    stack = try Stack(storeURL: url, model: LedgerModel.make(), configuration: configuration)
    let coordinator = stack.coordinator
    sibling = ManagedObjectContext(.private, coordinator: coordinator, name: "Sibling")
    sibling.automaticallyMergesChangesFromParent = true
    staleSibling = ManagedObjectContext(.private, coordinator: coordinator, name: "Stale")
    secondRoot = ManagedObjectContext(.private, coordinator: coordinator, name: "Second Root")
    secondRoot.automaticallyMergesChangesFromParent = true
    let root = stack.rootSavingContext
    ids = try root.performAndWait { local in
      let accounts = (0..<LedgerModel.accounts).map { number in
        let account = LedgerAccount.create(in: local)
        account.number = number
        account.balance = LedgerModel.opening
        account.mark = LedgerModel.opening
        return account
      }
      try local.save()
      return accounts.map(\.objectID)
    }
  }

  /// Makes the saves, and compares.
  func run(saves: Int, seed: UInt64) async throws -> LedgerVerdict {
    let tasks = 6
    let hinderer = Task { try await self.hinder(seed) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask { [self] in
          var random = SoakGenerator(seed: seed &+ UInt64(task) &* 7_919)
          for number in stride(from: task, to: saves, by: tasks) {
            try await save(LedgerJob(plan, number, ids, &random))
            if number % 16 == task { await look() }
          }
        }
      }
      try await group.waitForAll()
    }
    hinderer.cancel()
    _ = try? await hinderer.value
    try stack.close()
    return try compare()
  }

  /// Another program that writes now and then, longer than the stack waits.
  private func hinder(_ seed: UInt64) async throws {
    var random = SoakGenerator(seed: seed ^ 0xB05)
    let database = try RawDatabase(url)
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(Int.random(in: 20...200, using: &random)))
      guard (try? database.rows("BEGIN IMMEDIATE")) != nil else { continue }
      try? await Task.sleep(for: .milliseconds(Int.random(in: 1...60, using: &random)))
      _ = try database.rows("ROLLBACK")
    }
  }

  private func compare() throws -> LedgerVerdict {
    let database = try RawDatabase(url)
    if plan == .moving {
      let sum = try database.number("SELECT sum(ZBALANCE) FROM ZLEDGERACCOUNT")
      checkSum(sum, "the file")
      return book.verdictOfAnswers
    }
    var file: [LedgerEntry.Place: Int] = [:]
    for (account, _) in ids.enumerated() {
      for property in plan.properties {
        file[.init(account: account, property: property)] = try database.number(
          "SELECT Z\(property.uppercased()) FROM ZLEDGERACCOUNT WHERE ZNUMBER = \(account)")
      }
    }
    return book.verdict(file, LedgerModel.opening)
  }

  func checkSum(_ sum: Int, _ place: String) {
    let expected = LedgerModel.accounts * LedgerModel.opening
    if sum != expected { book.blame("the sum in \(place) is \(sum), not \(expected)") }
  }
}
