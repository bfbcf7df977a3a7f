/// Evaluates conditions and expressions for many rows at once, other objects' rows included.
///
/// Each step of a path is read for all rows together, so that a condition costs a statement for
/// each of its relationships, and not for each row.
package final class RowEvaluation {
  private let source: any RowSource
  /// The rows that were read on the way, which expressions point into.
  private var kept: [RowSet] = []
  /// The rows of each group, by the key of its first one.
  var members: [Int64: [RowPointer]] = [:]

  package init(_ source: any RowSource) { self.source = source }

  /// For which of the rows a condition holds. The caller keeps the rows.
  package func holds(_ predicate: BoundPredicate, _ rows: [RowPointer]) throws -> [Bool] {
    if rows.isEmpty { return [] }
    if predicate.isPlain {
      let test = RowTest(predicate)
      return rows.map(test.matches)
    }
    switch predicate {
    case .and(let nodes): return try join(nodes, rows, isAll: true)
    case .or(let nodes): return try join(nodes, rows, isAll: false)
    case .not(let node): return try holds(node, rows).map { !$0 }
    case .exists(let property, let node):
      let links = try links(property, rows)
      let inner = try holds(node, links.rows)
      return links.targets.map { $0.contains { inner[$0] } }
    case .compare(let a, let comparison, let b):
      let isDecimal = a.kind == .decimal || b.kind == .decimal
      let left = try values(a, rows)
      let right = try values(b, rows)
      return rows.indices.map {
        ScalarOrder.holds(left[$0], comparison, right[$0], isDecimal: isDecimal)
      }
    case .search(let a, let search, let b):
      return try self.search(values(a, rows), search, values(b, rows))
    case .matches(let value, let pattern):
      return try values(value, rows).map { scalar in
        if case .text(let text) = scalar { pattern.matches(text) } else { false }
      }
    case .member(let value, let list):
      let set = ScalarOrder.Members(list, isDecimal: value.kind == .decimal)
      return try values(value, rows).map(set.contains)
    case .constant, .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter:
      let test = RowTest(predicate)
      return rows.map(test.matches)
    }
  }

  /// The rows of which each condition is asked only where those before have not decided.
  private func join(
    _ nodes: [BoundPredicate], _ rows: [RowPointer], isAll: Bool
  ) throws -> [Bool] {
    var result = Array(repeating: isAll, count: rows.count)
    var open = Array(rows.indices)
    for node in nodes {
      let holds = try self.holds(node, open.map { rows[$0] })
      var rest: [Int] = []
      for (position, index) in open.enumerated() {
        if holds[position] == isAll { rest.append(index) } else { result[index] = !isAll }
      }
      open = rest
      if open.isEmpty { break }
    }
    return result
  }

  private func search(
    _ texts: [AttributeScalar], _ search: TextSearch, _ parts: [AttributeScalar]
  ) -> [Bool] {
    var last: TextNeedle?
    return zip(texts, parts).map { text, part in
      guard case .text(let text) = text, case .text(let part) = part else { return false }
      let known = last.flatMap { $0.text.utf8.elementsEqual(part.utf8) ? $0 : nil }
      let needle = known ?? TextNeedle(part, search)
      last = needle
      return needle.isFound(in: text)
    }
  }

  /// Which objects a relationship of some rows leads to.
  struct Links {
    /// The rows of those objects, each once.
    var rows: [RowPointer] = []
    /// For each of the first rows the positions of those that it leads to.
    var targets: [[Int]]
  }

  func links(_ property: PropertyLayout, _ rows: [RowPointer]) throws -> Links {
    guard let destination = property.destination else {
      return Links(targets: Array(repeating: [], count: rows.count))
    }
    if property.kind == .toOne { return try toOne(property, destination.entity, rows) }
    if let join = property.join { return try joined(join, destination.entity, rows) }
    let inverse = destination.entity.properties[destination.inverse]
    let found = try keep(
      source.referrers(Set(rows.map(\.key)), by: inverse, of: destination.entity))
    var byKey: [Int64: [Int]] = [:]
    for (position, row) in found.enumerated() {
      byKey[row.slot(inverse.index), default: []].append(position)
    }
    return Links(rows: found, targets: rows.map { byKey[$0.key] ?? [] })
  }

  private func toOne(
    _ property: PropertyLayout, _ entity: EntityLayout, _ rows: [RowPointer]
  ) throws -> Links {
    let keys = rows.map { $0.isNull(property.index) ? nil : $0.slot(property.index) }
    let found = try keep(source.rows(Array(Set(keys.compactMap { $0 })), of: entity))
    let positions = Dictionary(
      found.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    return Links(rows: found, targets: keys.map { $0.flatMap { positions[$0] }.map { [$0] } ?? [] })
  }

  private func joined(
    _ join: PropertyLayout.Join, _ entity: EntityLayout, _ rows: [RowPointer]
  ) throws -> Links {
    let near = join.entity.properties[join.near]
    let links = try keep(source.referrers(Set(rows.map(\.key)), by: near, of: join.entity))
    let far = Set(links.map { $0.slot(join.far) })
    let found = try keep(source.rows(Array(far), of: entity))
    let positions = Dictionary(
      found.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    var byKey: [Int64: [Int]] = [:]
    for link in links {
      guard let position = positions[link.slot(join.far)] else { continue }
      byKey[link.slot(near.index), default: []].append(position)
    }
    return Links(rows: found, targets: rows.map { byKey[$0.key] ?? [] })
  }

  /// The rows of a set, which is kept until the evaluation goes.
  private func keep(_ set: RowSet) -> [RowPointer] {
    kept.append(set)
    return set.withRows { Array($0) }
  }
}
