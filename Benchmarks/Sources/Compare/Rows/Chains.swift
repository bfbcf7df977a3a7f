extension Contest {
  static func chains(_ settings: Settings) -> [Contest] {
    [againstOneContext(settings.size(100_000)), depths(settings.size(100_000))]
  }

  private static func againstOneContext(_ count: Int) -> Contest {
    Contest(
      "chain child → main → root, \(grouped(count)) inserts",
      base: "one context on the coordinator",
      targets: [Target(.ratio(.base), 1.05)]
    ) { _ in
      let lanes = InsertLanes(count)
      return [lanes.ours(.ours, Leaf.chain), lanes.ours(.base, Leaf.chain(depth: 1))]
    }
  }

  /// All depths in turn, so that a level's hundredth can be told from the machine's moods.
  private static func depths(_ count: Int) -> Contest {
    Contest("chain depth") { settings in
      let inserts = InsertLanes(count)
      let depths = 1...8
      let lanes = depths.map { inserts.ours($0, Leaf.chain(depth: $0)) }
      let stats = try alternate(lanes, settings)
      return depths.dropFirst().map { depth in
        Outcome(
          name: "chain depth \(depth), \(grouped(count)) inserts",
          stats: [.ours: stats[depth], .base: stats[1]].compactMapValues { $0 },
          base: "depth 1",
          targets: depth == 8 ? [Target(.ratio(.base), 1.07)] : [],
          note: depth == 8 ? "1 % for each further level" : nil)
      }
    }
  }
}
