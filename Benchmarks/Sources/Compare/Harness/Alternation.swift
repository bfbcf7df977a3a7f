/// The middle of what several runs took.
struct Stat: Codable {
  let wall: Double
  let cpu: Double
  let main: Double?
  /// The longest stall of all runs: a user who sees one does not care how short the others were.
  let stall: Double?

  init(_ samples: [Sample]) {
    wall = median(samples.map(\.wall)) ?? 0
    cpu = median(samples.map(\.cpu)) ?? 0
    main = median(samples.compactMap(\.main))
    stall = samples.compactMap(\.stall).max()
  }
}

func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// One contender: prepares, runs its work once under the clock, and cleans up.
struct Lane<Key: Hashable> {
  let key: Key
  let run: () throws -> Sample

  init(_ key: Key, _ run: @escaping () throws -> Sample) {
    self.key = key
    self.run = run
  }
}

/// Runs contenders in turn, after a warm-up, so that what disturbs the machine disturbs all.
///
/// Each round begins with another one: the first in a cycle pays for the heap that the last gave
/// back.
func alternate<Key: Hashable>(_ lanes: [Lane<Key>], _ settings: Settings) throws -> [Key: Stat] {
  var samples: [Key: [Sample]] = [:]
  for round in 0...settings.runs {
    for position in lanes.indices {
      let lane = lanes[(position + round) % lanes.count]
      let sample = try lane.run()
      if round > 0 { samples[lane.key, default: []].append(sample) }
    }
  }
  return samples.mapValues(Stat.init)
}
