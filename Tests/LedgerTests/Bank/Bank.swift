import Cauldron
import Dispatch
import Foundation
import Logging
import TestSupport

/// A stack with accounts whose balances add up to a constant.
final class Bank: Sendable {
  static let accounts = 24
  static let sum = 24_000
  static let threads = 8
  static let contexts = 8

  let stack: Stack
  let directory: TemporaryDirectory
  /// What readers and writers found wrong; looked at when all threads are done.
  let problems = Collected<String>()
  /// The transfers whose save was acknowledged.
  let acknowledged = Collected<Int>()

  init() throws {
    directory = try TemporaryDirectory()
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "bank") { _ in SwiftLogNoOpLogHandler() }
    configuration.synchronous = .normal
    configuration.mainQueue = DispatchQueue(label: "bank main")
    stack = try Stack(
      storeURL: directory.file("bank.sqlite"),
      model: ManagedObjectModel(Account.self, Transfer.self), configuration: configuration)
    let context = ManagedObjectContext.contextWithParent(stack.defaultContext)
    context.performAndWait { context in
      for _ in 0..<Self.accounts {
        Account.create(in: context).balance = Self.sum / Self.accounts
      }
    }
    try context.saveAndWait(toPersistentStore: true)
  }

  /// Moves money, and records the transfer in the same save. A conflict is no problem: somebody
  /// else was quicker.
  func transfer(
    _ number: Int, in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) {
    let from = Int.random(in: 0..<Self.accounts, using: &random)
    let to = (from + Int.random(in: 1..<Self.accounts, using: &random)) % Self.accounts
    let amount = Int.random(in: 1...100, using: &random)
    do {
      try context.performAndWait { context in
        let accounts = try Account.findAll(in: context).sorted { $0.objectID.key < $1.objectID.key }
        accounts[from].balance -= amount
        accounts[to].balance += amount
        Transfer.create(in: context).number = number
      }
      if case .saved = try context.saveAndWait(toPersistentStore: true) {
        acknowledged.append(number)
      } else {
        problems.append("transfer \(number) had nothing to save")
      }
    } catch let error as CauldronError where [.saveConflict, .saveDependency].contains(error.code) {
      context.performAndWait { $0.context.reset() }
    } catch {
      problems.append("transfer \(number): \(error)")
    }
  }

  /// Reads with fresh objects what a context sees.
  func check(_ parent: ManagedObjectContext) {
    let probe = ManagedObjectContext(.private, parent: parent)
    do {
      let balances = try probe.performAndWait { try Account.findAll(in: $0).map(\.balance) }
      let sum = balances.reduce(0, +)
      if balances.count != Self.accounts || sum != Self.sum {
        problems.append("\(parent.name) sees \(balances.count) accounts with a sum of \(sum)")
      }
    } catch {
      problems.append("\(error)")
    }
  }

  /// The transfers that a new stack finds in the file.
  func reopened() throws -> (sum: Int, transfers: Set<Int>, duplicates: Int) {
    try stack.close()
    let stack = try Stack(storeURL: directory.file("bank.sqlite"), model: stack.model)
    defer { try? stack.close() }
    return try stack.rootSavingContext.performAndWait { context in
      let numbers = try Transfer.findAll(in: context).map(\.number)
      let sum = try Account.findAll(in: context).reduce(0) { $0 + $1.balance }
      return (sum, Set(numbers), numbers.count - Set(numbers).count)
    }
  }
}

/// What several threads gather.
///
/// `@unchecked Sendable` because the elements are only touched with the lock held.
final class Collected<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  func append(_ element: Element) { lock.withLock { elements.append(element) } }

  var all: [Element] { lock.withLock { elements } }
}
