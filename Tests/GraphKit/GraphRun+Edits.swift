import Cauldron

extension GraphRun {
  /// Edits values and relationships, from either side, and deletes.
  mutating func edit(_ op: Operation, _ a: Int, _ b: Int, _ m: Int) throws {
    guard let x = try find(a), let y = try find(b), let mark = try findMark(m) else {
      struct Missing: Error {}
      throw Missing()
    }
    switch op[0] % 100 {
    case 24..<30:
      x.value = op[3]
      work.values[a] = op[3]
    case 30..<44: family(op, (a, x), (b, y))
    case 44..<60: parts(op, (a, x), (b, y))
    case 60..<68: likes(op, (a, x), (b, y))
    case 68..<76: marks(op, (a, x), (m, mark))
    case 76..<84: ranking(op, (a, x), (m, mark))
    case 84..<89: chief(op, (a, x), (m, mark))
    case 89..<92:
      x.delete()
      work.delete(node: a)
    default:
      mark.delete()
      work.delete(mark: m)
    }
    if op[3] % 3 == 0 { context.processPendingChanges() }
  }

  private mutating func family(_ op: Operation, _ a: (Int, Node), _ b: (Int, Node)) {
    switch op[3] % 3 {
    case 0: a.1.parent = b.1
    case 1: b.1.children.insert(a.1)
    default:
      b.1.children.remove(a.1)
      if work.parent[a.0] == b.0 { work.parent[a.0] = nil }
      return
    }
    work.parent[a.0] = b.0
  }

  private mutating func parts(_ op: Operation, _ a: (Int, Node), _ b: (Int, Node)) {
    let count = work.parts[b.0]?.count ?? 0
    switch op[3] % 6 {
    case 0:
      a.1.whole = b.1
      work.addPart(a.0, to: b.0)
    case 1:
      b.1.parts.append(a.1)
      work.addPart(a.0, to: b.0)
    case 2:
      let position = op[1] % (count + 1)
      let isIn = work.parts[b.0]?.firstIndex(of: a.0)
      b.1.parts.insert(a.1, at: position)
      work.takeOut(a.0)
      let place = isIn.map { $0 < position ? position - 1 : position } ?? position
      work.parts[b.0, default: []].insert(a.0, at: place)
    case 3 where count > 1:
      b.1.parts.swapAt(0, count - 1)
      work.parts[b.0]?.swapAt(0, count - 1)
    case 4 where count > 0:
      b.1.parts.move(from: op[1] % count, to: op[2] % count)
      if let moved = work.parts[b.0]?.remove(at: op[1] % count) {
        work.parts[b.0]?.insert(moved, at: op[2] % count)
      }
    default:
      b.1.parts.remove(a.1)
      if work.parts[b.0]?.contains(a.0) == true { work.takeOut(a.0) }
    }
  }

  private mutating func likes(_ op: Operation, _ a: (Int, Node), _ b: (Int, Node)) {
    let pair = GraphOracle.Pair(a: a.0, b: b.0)
    switch op[3] % 4 {
    case 0: a.1.likes.insert(b.1)
    case 1: b.1.likedBy.insert(a.1)
    case 2:
      a.1.likes.remove(b.1)
      work.likes.remove(pair)
      return
    default:
      b.1.likedBy.remove(a.1)
      work.likes.remove(pair)
      return
    }
    work.likes.insert(pair)
  }

  private mutating func marks(_ op: Operation, _ a: (Int, Node), _ m: (Int, Mark)) {
    let pair = GraphOracle.Pair(a: a.0, b: m.0)
    switch op[3] % 4 {
    case 0: a.1.marks.insert(m.1)
    case 1: m.1.nodes.insert(a.1)
    case 2:
      a.1.marks.remove(m.1)
      work.marked.remove(pair)
      return
    default:
      m.1.nodes = [a.1]
      work.marked = work.marked.filter { $0.b != m.0 }
    }
    work.marked.insert(pair)
  }

  private mutating func ranking(_ op: Operation, _ a: (Int, Node), _ m: (Int, Mark)) {
    let list = work.ranking[m.0] ?? []
    switch op[3] % 4 {
    case 0:
      m.1.ranking.append(a.1)
      if !list.contains(a.0) { work.rank(a.0, by: m.0, at: list.count) }
    case 1:
      a.1.rankedBy.insert(m.1)
      if !list.contains(a.0) { work.rank(a.0, by: m.0, at: list.count) }
    case 2:
      let rest = list.filter { $0 != a.0 }
      m.1.ranking.insert(a.1, at: 0)
      work.ranking[m.0] = [a.0] + rest
    default:
      a.1.rankedBy.remove(m.1)
      work.unrank(a.0, by: m.0)
    }
  }

  private mutating func chief(_ op: Operation, _ a: (Int, Node), _ m: (Int, Mark)) {
    switch op[3] % 3 {
    case 0:
      m.1.chief = a.1
      work.setChief(m.0, a.0)
    case 1:
      a.1.crown = m.1
      work.setChief(m.0, a.0)
    default:
      m.1.chief = nil
      work.chief[m.0] = nil
    }
  }
}
