import Cauldron
import CauldronGraph
import CauldronModel
import CauldronSQLite
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct InterleavingTests {
  /// `CAULDRON_INTERLEAVINGS` sets the number of steps, for long runs of a release build.
  private static let steps =
    ProcessInfo.processInfo.environment["CAULDRON_INTERLEAVINGS"].flatMap(Int.init)

  /// `CAULDRON_SEED` repeats a failure.
  private static let seed =
    ProcessInfo.processInfo.environment["CAULDRON_SEED"].flatMap(UInt64.init)

  /// Seeds that have found something once.
  private static let found: [UInt64] = [45, 48, 259, 289, 318, 352]

  @Test func `whatever the order of pushes, commits and reads, every context sees what it must`()
    throws
  {
    try interleave(Self.steps ?? 100_000) { MemoryStore(model: $0, storeNumber: $1) }
  }

  @Test func `the same holds where the store is a file`() throws {
    let directory = try TemporaryDirectory()
    var options = SQLiteStoreOptions()
    options.synchronous = .normal
    try interleave((Self.steps ?? 100_000) / 10) { model, number in
      try SQLiteStore.open(
        url: directory.file("\(number).sqlite"), model: model, storeNumber: number,
        options: options)
    }
  }

  /// Plays stretches of some thousand steps, each with a seed and a store of its own.
  private func interleave(
    _ count: Int, _ makeStore: (ManagedObjectModel, Int32) throws -> any PersistentStore
  ) throws {
    let stretch = 2_500
    let seeds = (1...UInt64(max(1, count / stretch))) + Self.found
    for seed in Self.seed.map({ [$0] }) ?? seeds {
      let model = try ManagedObjectModel(Account.self)
      let number = StoreNumbers.next()
      let store = HookStore(try makeStore(model, number))
      let main = DispatchQueue(label: "main of \(number)")
      do {
        try main.sync {
          try Interleaving(
            seed: seed, store: store, model: model, storeNumber: number, mainQueue: main
          ).run(stretch)
        }
      } catch {
        Issue.record("CAULDRON_SEED=\(seed): \(error)")
        return
      }
    }
  }
}
