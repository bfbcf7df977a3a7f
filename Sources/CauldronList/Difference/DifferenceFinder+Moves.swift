extension DifferenceFinder {
  /// Whether unchanged elements that both snapshots show lie on other sides of an element than
  /// before, or its section is another one.
  private func surelyMoves(_ step: ListDifference.Step, among common: Range<Int>) -> Bool {
    let from = oldChanges.rank(of: old.range.lowerBound + step.from).clamped(to: common)
    let to = newChanges.rank(of: new.range.lowerBound + step.to).clamped(to: common)
    return from != to || old.section(atPlace: step.from) != new.section(atPlace: step.to)
  }

  /// Tells moves from updates: of those that need not move, as many as can stay.
  mutating func sortKept() {
    kept.sort { $0.to < $1.to }
    let common = ranks.before.clamped(to: ranks.after)
    var moves: [ListDifference.Step] = []
    var rest: [ListDifference.Step] = []
    for step in kept {
      if surelyMoves(step, among: common) { moves.append(step) } else { rest.append(step) }
    }
    let staying = rest.map(\.from).longestIncreasing()
    difference.updates = staying.map { rest[$0] }
    var next = staying.startIndex
    for index in rest.indices {
      if next < staying.endIndex, staying[next] == index {
        next += 1
      } else {
        moves.append(rest[index])
      }
    }
    difference.moves = moves.sorted { $0.to < $1.to }
  }
}
