/// How work grows with its size, by the processor time of the calling thread.
package enum Growth {
  /// What is more than in proportion for certain: four times the work takes about four times as long in
  /// proportion, and 16 times where each part looks at all others.
  package static let limit = 7.0

  /// How many times longer four times the work takes; the least of some rounds, because other tests disturb.
  /// - Parameters:
  ///   - count: How much work the small measure is.
  ///   - prepare: Makes the work of a size; is not measured.
  package static func ofFourfold(
    _ count: Int, _ prepare: (Int) throws -> () throws -> Void
  ) throws -> Double {
    var least = Double.infinity
    for _ in 0..<4 where least >= limit {
      let small = try seconds(count, prepare)
      least = min(least, try seconds(4 * count, prepare) / max(small, 1e-6))
    }
    return least
  }

  private static func seconds(
    _ count: Int, _ prepare: (Int) throws -> () throws -> Void
  ) throws -> Double {
    var best = Double.infinity
    for _ in 0..<3 {
      let body = try prepare(count)
      let start = threadSeconds
      try body()
      best = min(best, threadSeconds - start)
    }
    return best
  }
}
