import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport

/// Threads that move money, add accounts and write diaries through many contexts at once.
///
/// Whatever the order, money is neither made nor lost, and what was acknowledged is in the store.
final class StressRun: Sendable {
  static let threads = 8
  static let contexts = 16
  static let purse = 1_000

  let kit: Kit
  /// Whether contexts beside the root write, too. What they commit may clash with what waits in the
  /// root, which shows both until its save finds out; the store never does.
  let hasSiblings: Bool
  let accounts: [ManagedObjectID]
  /// One for each thread, which alone writes it, through changing contexts.
  let diaries: [ManagedObjectID]
  let acknowledged = Locked<Set<String>>([])
  let written = Locked<[[Int]]>(Array(repeating: [], count: StressRun.threads))
  let problems = Locked<[String]>([])
  let saves = Counter()
  let refusals = Counter()
  private let isOn = Flag()

  init(_ place: Kit.Place, hasSiblings: Bool, accounts count: Int = 24) throws {
    self.hasSiblings = hasSiblings
    kit = try Kit(place)
    let first = kit.child("first", of: kit.root)
    (accounts, diaries) = first.performAndWait { local in
      let accounts = (0..<count).map { number in
        Account.named("account \(number)", balance: Self.purse, in: local.context).objectID
      }
      let diaries = (0..<Self.threads).map { number in
        Account.named("diary \(number)", in: local.context).objectID
      }
      return (accounts, diaries)
    }
    try first.saveAndWait(toPersistentStore: true)
  }

  var isRunning: Bool { isOn.isUp }

  var sum: Int { accounts.count * Self.purse }

  /// Runs for some time, and up to 20 seconds longer on a slow machine until threads have met, and
  /// checks what is left.
  func run(seconds: Double, seed: UInt64) throws {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      let end = Date(timeIntervalSinceNow: 20)
      while self.refusals.value == 0, Date() < end { Thread.sleep(forTimeInterval: 0.1) }
      self.isOn.lower()
    }
    onThreads(Self.threads + 1) { number in
      if number < Self.threads {
        StressThread(self, number, seed: seed).run()
      } else {
        self.watch()
      }
    }
    // The contexts are gone; what they have handed on reaches the store with one more save.
    kit.onMain { main in
      do { try main.saveAndWait(toPersistentStore: true) } catch { problem("\(error)") }
    }
    try checkEnd()
    try kit.stack.close()
  }

  func problem(_ what: String) { problems.withLock { if $0.count < 20 { $0.append(what) } } }

  /// Looks at the sum in the store and in the root, again and again.
  private func watch() {
    while isRunning {
      watch(kit.sibling("the store"))
      if hasSiblings { continue }
      watch(kit.child("the root", of: kit.root))
    }
  }

  private func watch(_ reader: ManagedObjectContext) {
    do {
      let total = try reader.performAndWait(balance)
      if total != sum { problem("\(reader.name) shows \(total) instead of \(sum)") }
    } catch { problem("\(error)") }
  }

  private func balance(_ context: LocalContext) throws -> Int {
    try Account.findAll(where: .beginsWith(\.owner, "account"), in: context)
      .reduce(0) { $0 + $1.balance }
  }

  private func checkEnd() throws {
    let reader = kit.sibling("reader")
    try reader.performAndWait { context in
      let total = try balance(context)
      if total != sum { problem("the store holds \(total) instead of \(sum)") }
      let owners = Set(try Account.owners(in: context))
      let missing = acknowledged.withLock { $0.subtracting(owners) }
      if !missing.isEmpty { problem("\(missing.count) acknowledged accounts are missing") }
      for (number, id) in diaries.enumerated() {
        checkDiary(try context.context.account(id).diary, written.withLock { $0[number] })
      }
    }
  }

  private func checkDiary(_ diary: String, _ acknowledged: [Int]) {
    let entries = diary.split(separator: ",").compactMap { Int($0) }
    if entries != entries.sorted() { problem("a diary is out of order") }
    let missing = Set(acknowledged).subtracting(entries)
    if !missing.isEmpty { problem("\(missing.count) acknowledged entries are missing") }
  }
}
