import Cauldron
import Foundation
import Logging
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
  func run(_ context: ManagedObjectContext) async {
    meter.start()
    await withTaskGroup { group in
      group.addTask { await self.count(context) }
      group.addTask { await self.beat() }
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

  /// Tells a window why it has no list, and ends its stream, so that the browser asks again.
  func refuse(_ page: Page, _ error: any Error) {
    if (error as? CauldronError)?.code != .stackClosed {
      report("A window has no list: \(error)")
      page.send(.problem("\(error)"))
    }
    page.close()
  }

  /// Ends all streams.
  func closeAll() { for page in pages.withLock({ Array($0.values) }) { page.close() } }

  private func close(_ id: String) { pages.withLock { $0[id] = nil } }

  /// Keeps the counts right. Where they cannot be read it tells why, once, and tries again: what goes
  /// wrong with them must not end the heartbeat.
  private func count(_ context: ManagedObjectContext) async {
    var told = ""
    while !Task.isCancelled {
      do { try await counts.follow(context) } catch {
        if !Task.isCancelled, told != "\(error)" { report("The counts stand still: \(error)") }
        told = "\(error)"
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Writes a line to the save log, and to the program's errors.
  private func report(_ line: String) {
    log.add(.error, line)
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }

  /// Sends the figures. Only by writing to it a window is found to be gone, so that this goes on
  /// whatever happens.
  private func beat() async {
    var known = log.lines(after: 0).last?.number ?? 0
    while (try? await Task.sleep(for: .milliseconds(250))) != nil {
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
