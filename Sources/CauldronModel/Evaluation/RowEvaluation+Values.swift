import Foundation

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
      let links = try links(property, rows)
      let inner = try values(value, links.rows)
      return links.targets.map { $0.first.map { inner[$0] } ?? .null }
    case .aggregate(let gathering): return try gather(gathering, rows)
    case .grouped(let aggregate, let value): return try gather(aggregate, value, rows)
    case .arithmetic(let operation, let a, let b):
      let calculate =
        expression.kind == .decimal ? DecimalArithmetic.result : ScalarArithmetic.result
      return zip(try values(a, rows), try values(b, rows)).map { calculate(operation, $0, $1) }
    case .function(.absolute, let value) where value.kind == .decimal:
      return try values(value, rows).map(DecimalArithmetic.absolute)
    case .function(let function, let value):
      return try values(value, rows).map { ScalarArithmetic.result(function, $0) }
    case .folded(let options, let value):
      let fold = TextFold(options)
      return try values(value, rows).map { scalar in
        if case .text(let text) = scalar { .text(fold(text)) } else { scalar }
      }
    case .section(let transform, let value):
      return try values(value, rows).map(SectionMap(transform).callAsFunction)
    case .zeroForNil(let value):
      let zero: AttributeScalar = value.kind == .decimal ? .text("0") : .integer(0)
      return try values(value, rows).map { $0.isNull ? zero : $0 }
    case .conditional(let condition, let a, let b):
      return try choose(holds(condition, rows), a, b, rows)
    }
  }

  /// Each value is asked of those rows alone that show it.
  private func choose(
    _ holds: [Bool], _ a: BoundExpression, _ b: BoundExpression, _ rows: [RowPointer]
  ) throws -> [AttributeScalar] {
    var first = try values(a, zip(rows, holds).filter(\.1).map(\.0))[...]
    var second = try values(b, zip(rows, holds).filter { !$0.1 }.map(\.0))[...]
    return holds.map { ($0 ? first.popFirst() : second.popFirst()) ?? .null }
  }

  /// From the rows of the groups whose first ones are given.
  private func gather(
    _ aggregate: QueryExpression.Aggregate, _ value: BoundExpression?, _ rows: [RowPointer]
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
    _ gathering: BoundExpression.Gathering, _ rows: [RowPointer]
  ) throws -> [AttributeScalar] {
    let links = try links(gathering.relationship, rows)
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
