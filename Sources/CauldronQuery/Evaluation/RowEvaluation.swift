package import CauldronModel
import Foundation

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
    case .and(let nodes): return try join(nodes, over: rows, isAll: true)
    case .or(let nodes): return try join(nodes, over: rows, isAll: false)
    case .not(let node): return try holds(node, rows).map { !$0 }
    case .exists(let property, let node):
      let links = try links(property, of: rows)
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
      return try self.search(values(a, rows), by: search, for: values(b, rows))
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
    _ nodes: [BoundPredicate], over rows: [RowPointer], isAll: Bool
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
    _ texts: [AttributeScalar], by search: TextSearch, for parts: [AttributeScalar]
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

  func links(_ property: PropertyLayout, of rows: [RowPointer]) throws -> Links {
    guard let destination = property.destination else {
      return Links(targets: Array(repeating: [], count: rows.count))
    }
    if property.kind == .toOne { return try toOne(property, to: destination.entity, of: rows) }
    if let join = property.join { return try joined(by: join, to: destination.entity, of: rows) }
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
    _ property: PropertyLayout, to entity: EntityLayout, of rows: [RowPointer]
  ) throws -> Links {
    let keys = rows.map { $0.isNull(property.index) ? nil : $0.slot(property.index) }
    let found = try keep(source.rows(Array(Set(keys.compactMap { $0 })), of: entity))
    let positions = Dictionary(
      found.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    return Links(rows: found, targets: keys.map { $0.flatMap { positions[$0] }.map { [$0] } ?? [] })
  }

  private func joined(
    by join: PropertyLayout.Join, to entity: EntityLayout, of rows: [RowPointer]
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

/// Where the evaluation of a condition finds the rows that others lead to.
package protocol RowSource {
  /// The rows with these keys, in no particular order; none for those that are neither of the
  /// entity nor of a subentity, or are gone.
  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet
  /// The rows of an entity whose to-one property leads to one of these keys.
  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet
}

extension RowEvaluation {
  /// The values of an expression for some rows. The caller keeps the rows.
  /// - Throws: `query.overflow`, and what reading throws.
  package func values(
    _ expression: BoundExpression, _ rows: [RowPointer]
  ) throws -> [AttributeScalar] {
    if rows.isEmpty { return [] }
    switch expression {
    case .constant(let scalar): return Array(repeating: scalar, count: rows.count)
    case .decimal(let text): return Array(repeating: .text(text), count: rows.count)
    case .attribute(let property): return rows.map { property.scalar(in: $0) }
    case .related(let property, let value):
      let links = try links(property, of: rows)
      let inner = try values(value, links.rows)
      return links.targets.map { $0.first.map { inner[$0] } ?? .null }
    case .aggregate(let gathering): return try gather(gathering, over: rows)
    case .grouped(let aggregate, let value): return try gather(aggregate, of: value, over: rows)
    case .arithmetic(let operation, let a, let b):
      let isDecimal = expression.kind == .decimal
      return zip(try values(a, rows), try values(b, rows)).map {
        isDecimal
          ? DecimalArithmetic.result(operation, $0, $1) : ScalarArithmetic.result(operation, $0, $1)
      }
    case .function(let function, let value):
      let isDecimal = value.kind == .decimal
      return try values(value, rows).map {
        isDecimal
          ? DecimalArithmetic.result(function, of: $0) : ScalarArithmetic.result(function, of: $0)
      }
    case .folded(let options, let value):
      let fold = TextFold(options)
      return try values(value, rows).map { scalar in
        if case .text(let text) = scalar { .text(fold(text)) } else { scalar }
      }
    case .collated(let collator, let value):
      return try values(value, rows).map { scalar in
        if case .text(let text) = scalar { .blob(collator.key(of: text)) } else { .null }
      }
    case .section(let transform, let value):
      return try values(value, rows).map(SectionMap(transform).callAsFunction)
    case .zeroForNil(let value):
      let zero: AttributeScalar = value.kind == .decimal ? .text("0") : .integer(0)
      return try values(value, rows).map { $0.isNull ? zero : $0 }
    case .conditional(let condition, let a, let b):
      return try choose(by: holds(condition, rows), a, or: b, over: rows)
    }
  }

  /// Each value is asked of those rows alone that show it.
  private func choose(
    by holds: [Bool], _ a: BoundExpression, or b: BoundExpression, over rows: [RowPointer]
  ) throws -> [AttributeScalar] {
    var first = try values(a, zip(rows, holds).filter(\.1).map(\.0))[...]
    var second = try values(b, zip(rows, holds).filter { !$0.1 }.map(\.0))[...]
    return holds.map { ($0 ? first.popFirst() : second.popFirst()) ?? .null }
  }

  /// From the rows of the groups whose first ones are given.
  private func gather(
    _ aggregate: QueryExpression.Aggregate, of value: BoundExpression?, over rows: [RowPointer]
  ) throws -> [AttributeScalar] {
    let groups = rows.map { members[$0.key] ?? [] }
    let found = try value.map { try values($0, groups.flatMap { $0 }) }
    var position = 0
    return try groups.map { group in
      var gatherer = ScalarGatherer(aggregate, isDecimal: value?.kind == .decimal)
      for _ in group {
        gatherer.add(found?[position] ?? .integer(0))
        position += 1
      }
      return try gatherer.result()
    }
  }

  private func gather(
    _ gathering: BoundExpression.Gathering, over rows: [RowPointer]
  ) throws -> [AttributeScalar] {
    let links = try links(gathering.relationship, of: rows)
    let isWanted = try gathering.condition.map { try holds($0, links.rows) }
    let found = try gathering.value.map { try values($0, links.rows) }
    return try links.targets.map { targets in
      var gatherer = ScalarGatherer(
        gathering.aggregate, isDecimal: gathering.value?.kind == .decimal)
      for target in targets where isWanted?[target] ?? true {
        gatherer.add(found?[target] ?? .integer(0))
      }
      return try gatherer.result()
    }
  }
}

extension PropertyLayout {
  /// The property's value in a row; NaN is nil.
  package func scalar(in row: RowPointer) -> AttributeScalar {
    guard let storageClass else { return .null }
    let scalar = row.scalar(index, storageClass)
    switch scalar {
    case .real(let value) where value.isNaN: return .null
    case .text where form == .decimal: return row.decimal(index) == nil ? .null : scalar
    default: return scalar
    }
  }
}
