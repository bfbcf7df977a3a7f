extension Contest {
  static func inserts(_ settings: Settings) -> [Contest] {
    [100, 1_000, 10_000].map { insert(settings.size($0), []) } + [
      insert(
        settings.size(100_000), [Target(.ratio(.raw), 1.25), Target(.advantage(.codable), 4)]),
      insertWithoutChain(settings.size(100_000)),
      growth(settings),
    ]
  }

  private static func insert(_ count: Int, _ targets: [Target]) -> Contest {
    let name = "insert \(grouped(count)) through child → main → root → disk"
    return Contest(
      name, base: "C API, \(RawBatchInsertion.size) rows a statement", targets: targets
    ) { _ in
      let lanes = InsertLanes(count)
      return [
        lanes.ours(.ours, Leaf.chain), lanes.raw, lanes.rawBatches, lanes.grdb, lanes.cached,
        lanes.codable,
      ]
    }
  }

  private static func insertWithoutChain(_ count: Int) -> Contest {
    Contest("insert \(grouped(count)) in one context on the coordinator") { _ in
      let lanes = InsertLanes(count)
      return [lanes.ours(.ours, Leaf.chain(depth: 1)), lanes.raw]
    }
  }

  private static func growth(_ settings: Settings) -> Contest {
    let large = settings.size(1_000_000)
    return Contest(
      "insert \(grouped(large)), cost per row against 10,000", base: "10,000 rows, scaled up",
      targets: [Target(.ratio(.base), 1.2)],
      note: "10,000 rather than 1,000, whose cost is that of a commit"
    ) { _ in
      let small = InsertLanes(10_000).ours(Contender.base, Leaf.chain)
      let scaled = Lane(Contender.base) {
        let sample = try small.run()
        let factor = Double(large) / 10_000
        return Sample(wall: sample.wall * factor, cpu: sample.cpu * factor)
      }
      let lanes = InsertLanes(large)
      return [lanes.ours(.ours, Leaf.chain), scaled, lanes.raw]
    }
  }
}
