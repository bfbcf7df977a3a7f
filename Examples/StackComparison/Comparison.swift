import Cauldron
import Foundation

/// Runs the same work on all four stacks and keeps the best figures.
struct Comparison {
  static let layouts: [(String, StackLayout)] = [
    ("A single", .single), ("B siblings", .siblings), ("C mainParent", .mainParent),
    ("D writerRoot", .writerRoot),
  ]

  let inserts: [Int]
  let fetches: [Int]
  /// How many rows the lists have.
  let lists: [Int]
  let rounds: Int

  func run() throws {
    print("milliseconds; best of \(rounds)")
    Report.title("insert and save")
    for count in inserts { try insert(count) }
    Report.title("fetch and show in the main context")
    try fetch()
    Report.title("fetch a live list in the background, with ten inserts meanwhile")
    for count in lists { try fetchLists(count) }
    Report.title("insert and save under a live list")
    for count in inserts { try insertUnderLists(count) }
  }

  /// The stacks take turns, so that a slow moment of the machine meets all of them.
  private func insert(_ count: Int) throws {
    var best = Self.layouts.map { _ in Figures() }
    for _ in 0..<rounds {
      for (index, (_, layout)) in Self.layouts.enumerated() {
        for isTimed in [true, false] {
          let bench = try Bench(layout)
          let figures = try measure(isTimed: isTimed) {
            try bench.insert(count)
            return nil
          }
          best[index] = best[index].better(figures)
          try bench.close()
        }
      }
    }
    report(count, best, Published.insert[count])
  }

  private func fetch() throws {
    let size = fetches.max() ?? 0
    let benches = try Self.layouts.map { try Bench($0.1) }
    for bench in benches { try bench.fill(size) }
    for count in fetches {
      var best = benches.map { _ in Figures() }
      for _ in 0..<rounds {
        for (index, bench) in benches.enumerated() {
          for isTimed in [true, false] {
            let figures = try measure(isTimed: isTimed) { try bench.fetch(count) }
            best[index] = best[index].better(figures)
          }
        }
      }
      report(count, best, Published.fetch[count])
    }
    for bench in benches { try bench.close() }
  }

  /// Measures one piece of work: either its times, or what the heartbeat finds; the heartbeat is
  /// work of the main thread, too.
  /// - Parameter work: Returns the main thread's time if it has measured it itself.
  func measure(isTimed: Bool, _ work: () throws -> Double?) rethrows -> Figures {
    var figures = Figures()
    if isTimed {
      let (start, main) = (Clock.now, Clock.mainThread)
      let measured = try work()
      figures.total = Clock.milliseconds(since: start)
      figures.main = measured ?? (Clock.mainThread - main)
    } else {
      let heartbeat = Heartbeat()
      heartbeat.start()
      _ = try work()
      figures.stall = heartbeat.stop()
    }
    return figures
  }

  func report(_ count: Int, _ figures: [Figures], _ published: String?) {
    for (index, (name, _)) in Self.layouts.enumerated() {
      let rows = index == 0 ? count.formatted(.number.locale(Locale(identifier: "en"))) : ""
      let columns = [rows, name] + figures[index].columns
      Report.line(columns, note: index == 0 ? published ?? "" : "")
    }
  }
}

extension Figures {
  fileprivate var columns: [String] {
    [total, main, stall].map { String(format: "%.3f", $0) }
  }
}
