import Cauldron
import Foundation
import Synchronization

/// What all windows share: the import, the save log, and the figures.
final class Board: Sendable {
  let importer = Importer()
  let log: SaveLog
  let meter = StallMeter()
  private let counts = LiveCounts()
  private let pages = Mutex<[String: Page]>([:])

  init(log: SaveLog) { self.log = log }

  /// Follows the counts of a context and sends the figures to all windows, until the task is cancelled.
  func run(_ context: ManagedObjectContext) async throws {
    meter.start()
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.counts.follow(context) }
      group.addTask { try await self.beat() }
      try await group.next()
      group.cancelAll()
    }
  }

  /// A list for a new window.
  func open() async -> Page {
    let page = await Page()
    pages.withLock { $0[page.id] = page }
    page.onClose { [weak self, id = page.id] in self?.close(id) }
    page.send(.hello(page: page.id))
    page.send(.pulse(pulse(log.lines(after: 0), recentStall: 0)))
    return page
  }

  /// The window that a request is of.
  func page(_ id: String?) throws -> Page {
    guard let page = pages.withLock({ $0[id ?? ""] }) else {
      throw Refusal("This window has no stream.", .gone)
    }
    return page
  }

  /// Begins an import, which all windows see.
  func startImport(_ count: Int) throws {
    guard importer.start(count) else { throw Refusal("An import is running.", .conflict) }
    meter.reset()
  }

  /// Ends all streams.
  func closeAll() { for page in pages.withLock({ Array($0.values) }) { page.close() } }

  private func close(_ id: String) { pages.withLock { $0[id] = nil } }

  private func beat() async throws {
    var known = log.lines(after: 0).last?.number ?? 0
    while true {
      try await Task.sleep(for: .milliseconds(250))
      let news = log.lines(after: known)
      known = news.last?.number ?? known
      let pulse = pulse(news, recentStall: meter.takeRecent())
      for page in pages.withLock({ Array($0.values) }) { page.send(.pulse(pulse)) }
    }
  }

  private func pulse(_ log: [SaveLog.Line], recentStall: Double) -> Pulse {
    Pulse(
      time: Date(), counts: counts.current, longestStall: meter.longest, recentStall: recentStall,
      progress: importer.current, log: log)
  }
}
