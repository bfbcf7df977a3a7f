/// What a context shows, as plain dictionaries: what the random tests compare with.
struct GraphOracle: Equatable {
  struct Pair: Hashable {
    let a: Int
    let b: Int
  }

  var values: [Int: Int] = [:]
  var marks: Set<Int> = []
  var parent: [Int: Int] = [:]
  var parts: [Int: [Int]] = [:]
  var likes: Set<Pair> = []
  var marked: Set<Pair> = []
  var ranking: [Int: [Int]] = [:]
  /// The node of each mark that has one; no node has two marks.
  var chief: [Int: Int] = [:]

  var nodes: [Int] { values.keys.sorted() }

  mutating func setChief(_ mark: Int, _ node: Int?) {
    chief = chief.filter { $0.value != node && $0.key != mark }
    chief[mark] = node
  }

  /// Has a part stand at the end of a whole, unless it is there already.
  mutating func addPart(_ part: Int, to whole: Int) {
    if parts[whole, default: []].contains(part) { return }
    takeOut(part)
    parts[whole, default: []].append(part)
  }

  mutating func takeOut(_ part: Int) {
    for whole in parts.keys { parts[whole]?.removeAll { $0 == part } }
    parts = parts.filter { !$0.value.isEmpty }
  }

  mutating func rank(_ node: Int, by mark: Int, at position: Int) {
    var list = (ranking[mark] ?? []).filter { $0 != node }
    list.insert(node, at: min(position, list.count))
    ranking[mark] = list
  }

  mutating func unrank(_ node: Int, by mark: Int) {
    ranking[mark]?.removeAll { $0 == node }
    ranking = ranking.filter { !$0.value.isEmpty }
  }

  mutating func delete(node: Int) {
    values[node] = nil
    parent = parent.filter { $0.key != node && $0.value != node }
    parts[node] = nil
    takeOut(node)
    likes = likes.filter { $0.a != node && $0.b != node }
    marked = marked.filter { $0.a != node }
    chief = chief.filter { $0.value != node }
    for mark in ranking.keys { unrank(node, by: mark) }
  }

  mutating func delete(mark: Int) {
    marks.remove(mark)
    marked = marked.filter { $0.b != mark }
    ranking[mark] = nil
    chief[mark] = nil
  }
}
