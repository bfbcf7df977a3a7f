import Cauldron

extension GraphRun {
  /// What the context shows that the dictionaries do not; nil for nothing.
  /// - Parameter isThorough: Whether every relationship is walked from its other side, too.
  func difference(isThorough: Bool) throws -> String? {
    var seen = GraphOracle()
    for node in try Node.findAll(in: context) { read(node, &seen) }
    for mark in try Mark.findAll(in: context) { read(mark, &seen) }
    if seen != work { return Self.text(seen, work) }
    return isThorough ? try backward() : nil
  }

  private func read(_ node: Node, _ seen: inout GraphOracle) {
    seen.values[node.uid] = node.value
    seen.parent[node.uid] = node.parent?.uid
    let parts = node.parts.map(\.uid)
    if !parts.isEmpty { seen.parts[node.uid] = parts }
    for other in node.likes { seen.likes.insert(.init(a: node.uid, b: other.uid)) }
    for mark in node.marks { seen.marked.insert(.init(a: node.uid, b: mark.uid)) }
  }

  private func read(_ mark: Mark, _ seen: inout GraphOracle) {
    seen.marks.insert(mark.uid)
    let ranking = mark.ranking.map(\.uid)
    if !ranking.isEmpty { seen.ranking[mark.uid] = ranking }
    seen.chief[mark.uid] = mark.chief?.uid
  }

  private func backward() throws -> String? {
    for node in try Node.findAll(in: context) {
      let id = node.uid
      let sides: [(String, [Int], [Int])] = [
        ("children", node.children.map(\.uid), work.parent.filter { $0.value == id }.map(\.key)),
        ("likedBy", node.likedBy.map(\.uid), work.likes.filter { $0.b == id }.map(\.a)),
        (
          "rankedBy", node.rankedBy.map(\.uid),
          work.ranking.filter { $0.value.contains(id) }.map(\.key)
        ),
        (
          "crown", node.crown.map { [$0.uid] } ?? [],
          work.chief.filter { $0.value == id }.map(\.key)
        ),
        (
          "whole", node.whole.map { [$0.uid] } ?? [],
          work.parts.filter { $0.value.contains(id) }.map(\.key)
        ),
      ]
      for (name, found, expected) in sides where found.sorted() != expected.sorted() {
        return "\(name) of \(id) is \(found.sorted()), not \(expected.sorted())"
      }
    }
    for mark in try Mark.findAll(in: context) {
      let expected = work.marked.filter { $0.b == mark.uid }.map(\.a).sorted()
      if mark.nodes.map(\.uid).sorted() != expected { return "nodes of \(mark.uid)" }
    }
    return nil
  }

  private static func text(_ seen: GraphOracle, _ expected: GraphOracle) -> String {
    let parts: [(String, String, String)] = [
      (
        "values", "\(seen.values.sorted { $0.key < $1.key })",
        "\(expected.values.sorted { $0.key < $1.key })"
      ),
      ("marks", "\(seen.marks.sorted())", "\(expected.marks.sorted())"),
      (
        "parent", "\(seen.parent.sorted { $0.key < $1.key })",
        "\(expected.parent.sorted { $0.key < $1.key })"
      ),
      (
        "parts", "\(seen.parts.sorted { $0.key < $1.key })",
        "\(expected.parts.sorted { $0.key < $1.key })"
      ),
      (
        "likes", "\(seen.likes.map { [$0.a, $0.b] }.sorted { $0.lexicographicallyPrecedes($1) })",
        "\(expected.likes.map { [$0.a, $0.b] }.sorted { $0.lexicographicallyPrecedes($1) })"
      ),
      ("marked", "\(seen.marked.count)", "\(expected.marked.count)"),
      (
        "ranking", "\(seen.ranking.sorted { $0.key < $1.key })",
        "\(expected.ranking.sorted { $0.key < $1.key })"
      ),
      (
        "chief", "\(seen.chief.sorted { $0.key < $1.key })",
        "\(expected.chief.sorted { $0.key < $1.key })"
      ),
    ]
    return parts.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1), not \($0.2)" }.joined(
      separator: "; ")
  }
}
