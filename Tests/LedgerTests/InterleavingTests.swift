import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronSQLite
import CauldronStore
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .ownThread) struct InterleavingTests {
  /// `CAULDRON_INTERLEAVINGS` sets the number of steps, for long runs of a release build.
  private static let steps =
    ProcessInfo.processInfo.environment["CAULDRON_INTERLEAVINGS"].flatMap(Int.init)

  private static let stepsInMemory = steps ?? 50_000

  /// Steps in a file take ten times as long; fewer would have too few clashes.
  private static let stepsInFile = max(10_000, stepsInMemory / 10)

  /// `CAULDRON_SEED` repeats a failure.
  private static let seed =
    ProcessInfo.processInfo.environment["CAULDRON_SEED"].flatMap(UInt64.init)

  /// Seeds that have found something once; a sanitizer, which looks at every access, learns from them
  /// nothing that the first ones do not show.
  private static let found: [UInt64] = Sanitizer.isOn ? [] : [45, 48, 259, 289, 318, 352]

  @Test(.enabled(if: !Sanitizer.isOn, "the case in a file includes this code"))
  func `whatever the order of pushes, commits and reads, every context sees what it must`()
    throws
  {
    try interleave(Self.stepsInMemory, ChainInterleaving.init) {
      MemoryStore(model: $0, storeNumber: $1)
    }
  }

  @Test func `the same holds where the store is a file`() throws {
    let directory = try TemporaryDirectory()
    var options = SQLiteStoreOptions()
    options.synchronous = .normal
    try interleave(Self.stepsInFile, ChainInterleaving.init) { model, number in
      try SQLiteStore.open(
        url: directory.file("\(number).sqlite"), model: model, storeNumber: number,
        options: options)
    }
  }

  @Test(.enabled(if: !Sanitizer.isOn, "the case in a file includes this code"))
  func `of two contexts on one store, neither writes over what the other has committed`()
    throws
  {
    try rival(Self.stepsInMemory) { MemoryStore(model: $0, storeNumber: $1) }
  }

  @Test func `nor do they where the store is a file`() throws {
    let directory = try TemporaryDirectory()
    var options = SQLiteStoreOptions()
    options.synchronous = .normal
    try rival(Self.stepsInFile) { model, number in
      try SQLiteStore.open(
        url: directory.file("\(number).sqlite"), model: model, storeNumber: number,
        options: options)
    }
  }

  /// An oracle that agrees with a game in which nothing clashes would tell nothing.
  private func rival(
    _ count: Int, _ makeStore: (ManagedObjectModel, Int32) throws -> any PersistentStore
  ) throws {
    var tally = RivalTally()
    let isRight = try interleave(
      count, RivalInterleaving.init, then: { tally.add($0.tally) }, makeStore)
    guard isRight, Self.seed == nil else { return }
    let least = Sanitizer.isOn ? 1 : 10
    for (what, count) in tally.counts { #expect(count > least, "\(what)") }
  }

  /// Plays stretches of some thousand steps, each with a seed and a store of its own.
  /// - Returns: Whether nothing was wrong.
  @discardableResult
  private func interleave<Game: Interleaving>(
    _ count: Int,
    _ begin: (UInt64, HookStore, ManagedObjectModel, Int32, DispatchQueue) -> Game,
    then end: (Game) -> Void = { _ in },
    _ makeStore: (ManagedObjectModel, Int32) throws -> any PersistentStore
  ) throws -> Bool {
    let stretch = 2_500
    let seeds = (1...UInt64(max(1, count / stretch))) + Self.found
    for seed in Self.seed.map({ [$0] }) ?? seeds {
      let model = try ManagedObjectModel(Account.self)
      let number = StoreNumbers.next()
      let store = HookStore(try makeStore(model, number))
      let main = DispatchQueue(label: "main of \(number)")
      do {
        try main.sync {
          let game = begin(seed, store, model, number, main)
          try game.run(stretch)
          end(game)
        }
      } catch {
        Issue.record("CAULDRON_SEED=\(seed): \(error)")
        return false
      }
    }
    return true
  }
}
