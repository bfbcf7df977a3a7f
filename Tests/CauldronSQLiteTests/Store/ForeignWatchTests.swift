import CauldronModel
import CauldronStore
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("Commits of others", .againstHanging, .ownThread, .serialized)
struct ForeignWatchTests {
  /// How often a watch has called.
  private final class Calls: Sendable {
    private let times = Locked<[ContinuousClock.Instant]>([])

    var count: Int { times.withLock(\.count) }

    func note() { times.withLock { $0.append(.now) } }

    /// Waits until there were so many; answers whether there were within some seconds.
    func reach(_ count: Int, within seconds: Double) -> Bool {
      let end = ContinuousClock.now + .seconds(seconds)
      while self.count < count {
        if ContinuousClock.now > end { return false }
        usleep(500)
      }
      return true
    }

    /// How many come in some time.
    func more(in seconds: Double) -> Int {
      let before = count
      usleep(UInt32(seconds * 1_000_000))
      return count - before
    }
  }

  private func watched(
    _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws -> (StoreBench, Calls, any ForeignWatch) {
    let bench = try StoreBench(entity: "Thing", [("name", .string)], options)
    try bench.insert("Thing", 1, ["name": .text("a")])
    let calls = Calls()
    let watch = try #require(
      try bench.store.watchForeignWrites(distrusting: {}, telling: { calls.note() }))
    return (bench, calls, watch)
  }

  private static let change = "UPDATE ZTHING SET ZNAME = ZNAME || 'x', Z_OPT = Z_OPT + 1"

  @Test("A commit of somebody else is noticed within 100 ms")
  func noticed() throws {
    let (bench, calls, watch) = try watched()
    let other = RawDatabase(bench.url)
    #expect(calls.more(in: 0.2) == 0)
    var best = Duration.seconds(60)
    for _ in 0..<6 {
      let before = calls.count
      #expect(other.run(Self.change) == 0)
      let start = ContinuousClock.now
      #expect(calls.reach(before + 1, within: 5 * slack))
      best = min(best, .now - start)
      usleep(300_000)
    }
    #expect(best < .seconds(0.1 * slack))
    #expect(calls.count == 6)
    #expect(watch.pollingReason == nil)
    watch.stop()
    #expect(other.run(Self.change) == 0)
    #expect(calls.more(in: 0.3) == 0)
  }

  @Test("A commit is noticed while the store itself waits for it, and once")
  func noticedWhileWaiting() async throws {
    let (bench, calls, watch) = try watched()
    let other = RawDatabase(bench.url)
    #expect(other.run("BEGIN IMMEDIATE; " + Self.change) == 0)
    let store = bench.store
    let row = bench.changes(inserted: [bench.factory.row("Thing", 2, [:])])
    async let saved = Task.detached {
      try store.save(SavePlan([row], storeNumber: 1), willCommit: { _ in }, didCommit: { _ in })
    }.value
    usleep(100_000)
    #expect(calls.count == 0)
    #expect(other.run("COMMIT") == 0)
    #expect(calls.reach(1, within: 5 * slack))
    _ = try await saved
    #expect(calls.more(in: 0.3) == 0)
    watch.stop()
  }

  @Test("What the store itself writes is not told of, however its connections take turns")
  func ownCommits() throws {
    let (bench, calls, watch) = try watched()
    let thing = bench.model.entity("Thing")
    let store = bench.store
    let sets = (2..<1_500).map { key in
      bench.changes(inserted: [bench.factory.row("Thing", Int64(key), [:])])
    }
    let given = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      switch worker {
      case 0:
        for set in sets {
          _ = try? store.save(
            SavePlan([set], storeNumber: 1), willCommit: { _ in }, didCommit: { _ in })
        }
      case 1:
        // On a busy machine the others may leave no moment between them until they are done.
        let deadline = ContinuousClock.now + .seconds(30 * slack)
        var tries = 0
        while tries < 1_500 || given.withLock({ $0 }) <= 10, ContinuousClock.now < deadline {
          tries += 1
          if (try? store.reserveKeysAtOnce(3, for: thing)) != nil { given.withLock { $0 += 1 } }
          usleep(300)
        }
      default:
        for _ in 0..<300 {
          guard let keys = try? store.reserveKeys(2, for: thing) else { continue }
          try? store.returnKeys(keys, for: thing)
          usleep(500)
        }
      }
    }
    #expect(given.withLock { $0 } > 10)
    #expect(calls.more(in: 0.4) == 0)
    #expect(calls.count == 0)
    // Among own commits those of others are seen.
    let other = RawDatabase(bench.url)
    for round in 1...20 {
      #expect(other.run(Self.change) == 0)
      try bench.insert("Thing", Int64(5_000 + round), [:])
      _ = try store.reserveKeysAtOnce(1, for: thing)
      #expect(calls.reach(round, within: 5 * slack), "\(round)")
    }
    watch.stop()
  }

  @Test("Of a thousand commits a second a few looks are made")
  func rate() throws {
    let (bench, calls, watch) = try watched()
    let other = RawDatabase(bench.url)
    #expect(other.run("PRAGMA synchronous = OFF") == 0)
    let start = ContinuousClock.now
    var commits = 0
    // A busy machine takes longer for as many.
    let deadline = start + .seconds(20 * slack)
    while ContinuousClock.now < deadline {
      commits += other.run(Self.change) == 0 ? 1 : 0
      let isEnough = commits > 50 && Double(calls.count) >= 4
      if isEnough, ContinuousClock.now - start >= .seconds(1) { break }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let noticed = calls.count
    #expect(commits > 50)
    #expect(Double(noticed) <= 20 * seconds + 2)
    #expect(noticed >= 4)
    // The last one is seen.
    usleep(500_000)
    let settled = calls.count
    #expect(calls.more(in: 0.3) == 0)
    #expect(settled >= noticed)
    watch.stop()
  }

  @Test("Where the system does not tell, it is looked each second")
  func polling() throws {
    var options = SQLiteStoreOptions()
    options.polls = true
    let (bench, calls, watch) = try watched(options)
    #expect(watch.pollingReason != nil)
    #expect(RawDatabase(bench.url).run(Self.change) == 0)
    #expect(calls.reach(1, within: 1.5 + 3 * slack))
    watch.stop()
  }

  @Test("Closing the store ends the watch, and leaves nothing beside the file")
  func closing() throws {
    let (bench, calls, watch) = try watched()
    try bench.store.close()
    #expect(bench.isAlone)
    do {
      let other = RawDatabase(bench.url)
      #expect(other.run(Self.change) == 0)
      #expect(calls.more(in: 0.3) == 0)
    }
    #expect(throws: CauldronError.self) {
      try bench.store.watchForeignWrites(distrusting: {}, telling: {})
    }
    watch.stop()
  }

  @Test("A watch that nobody holds has ended")
  func lettingGo() throws {
    let bench = try StoreBench(entity: "Thing", [("name", .string)])
    let calls = Calls()
    do { _ = try bench.store.watchForeignWrites(distrusting: {}, telling: { calls.note() }) }
    #expect(RawDatabase(bench.url).run(Self.change) == 0)
    #expect(calls.more(in: 0.2) == 0)
  }

  @Test("Two watches are told, and one of them when the other has ended")
  func two() throws {
    let (bench, calls, watch) = try watched()
    let others = Calls()
    let second = try #require(
      try bench.store.watchForeignWrites(distrusting: {}, telling: { others.note() }))
    let other = RawDatabase(bench.url)
    #expect(other.run(Self.change) == 0)
    #expect(calls.reach(1, within: 5 * slack) && others.reach(1, within: 5 * slack))
    second.stop()
    #expect(other.run(Self.change) == 0)
    #expect(calls.reach(2, within: 5 * slack))
    #expect(others.count == 1)
    watch.stop()
  }

  @Test("A log that is removed and made anew is watched still, behind a link, too")
  func logMadeAnew() throws {
    let directory = try TemporaryDirectory()
    let calls = Calls()
    let link = directory.file("link.sqlite")
    try Data().write(to: directory.file("x.sqlite"))
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: directory.file("x.sqlite"))
    let queue = DispatchQueue(label: "test.log")
    let events = try LogEvents(of: link.path, on: queue)
    queue.sync {
      events.setHandler {
        calls.note()
        events.arm()
      }
      events.arm()
    }
    let log = directory.file("x.sqlite-wal")
    for _ in 0..<3 {
      let before = calls.count
      try Data([1]).write(to: log)
      #expect(calls.reach(before + 1, within: 5 * slack))
      usleep(50_000)
      let made = calls.count
      let handle = try FileHandle(forWritingTo: log)
      try handle.write(contentsOf: Data([2, 3]))
      try handle.close()
      #expect(calls.reach(made + 1, within: 5 * slack))
      usleep(50_000)
      let written = calls.count
      try FileManager.default.removeItem(at: log)
      #expect(calls.reach(written + 1, within: 5 * slack))
      usleep(50_000)
    }
    // The file itself is none of it.
    let before = calls.count
    try Data([4]).write(to: directory.file("x.sqlite"))
    #expect(calls.more(in: 0.1) == 0, "\(before)")
    queue.sync { events.cancel() }
  }

  @Test("A store in memory has no others")
  func memory() throws {
    let store = MemoryStore(model: try TestModels.people(), storeNumber: 1)
    #expect(try store.watchForeignWrites(distrusting: {}, telling: {}) == nil)
  }
}
