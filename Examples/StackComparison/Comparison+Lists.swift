extension Comparison {
  /// Fetches lists of so many rows in the background, while ten more are inserted.
  func fetchLists(_ count: Int) throws {
    let benches = try Self.layouts.map { try Bench($0.1) }
    for bench in benches { try bench.fill(count) }
    var best = benches.map { _ in Figures() }
    for _ in 0..<rounds {
      for (index, bench) in benches.enumerated() {
        for isTimed in [true, false] {
          let (list, rows) = (bench.list(), try bench.count() + 10)
          let figures = try measure(isTimed: isTimed) {
            try bench.fetch(list, inserting: 10, until: rows)
            return nil
          }
          best[index] = best[index].better(figures)
          try bench.check(list)
        }
      }
    }
    report(count, best, Published.list[count])
    for bench in benches { try bench.close() }
  }

  /// Inserts so many rows, while a list of a thousand is shown.
  func insertUnderLists(_ count: Int) throws {
    var best = Self.layouts.map { _ in Figures() }
    for _ in 0..<rounds {
      for (index, (_, layout)) in Self.layouts.enumerated() {
        for isTimed in [true, false] {
          let bench = try Bench(layout)
          best[index] = best[index].better(try insertUnderList(count, bench, isTimed))
          try bench.close()
        }
      }
    }
    report(count, best, Published.insert[count].map { "\($0) without a list" })
  }

  private func insertUnderList(_ count: Int, _ bench: Bench, _ isTimed: Bool) throws -> Figures {
    let list = bench.list()
    try bench.fetch(list, inserting: 1_000, until: 1_000)
    let figures = try measure(isTimed: isTimed) {
      try bench.insert(count, under: list, until: 1_000 + count)
      return nil
    }
    try bench.check(list)
    return figures
  }
}
