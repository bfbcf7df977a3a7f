import CauldronModel
import CauldronQuery
import Foundation

/// An expression behind a relationship is a statement of its own. Where only the existence of an
/// object is asked for, it is run once, so that indexes of both tables serve it; for a value it is
/// run for each row.
extension PredicateSQL {
  /// Whether a relationship leads to an object for which a condition holds.
  func exists(_ property: PropertyLayout, where inner: BoundPredicate) -> SQLFragment {
    guard let destination = property.destination else { return "0" }
    let other = following(destination.entity)
    if property.kind == .toOne {
      return "\(column(property)) IN (\(other.select("Z_PK", where: inner)))"
    }
    if let join = property.join {
      let table = SQLFragment(sql: schema.table(of: join.entity).sqlName)
      return """
        Z_PK IN (SELECT \(end(of: join, at: join.near)) FROM \(table) WHERE \(end(of: join, at: join.far)) IN \
        (\(other.select("Z_PK", where: inner))))
        """
    }
    let inverse = destination.entity.properties[destination.inverse]
    return "Z_PK IN (\(other.select(other.column(inverse), where: inner)))"
  }

  /// An expression of the rows of the entity.
  func expression(_ expression: BoundExpression) -> SQLFragment {
    switch expression {
    case .constant(let scalar): return constant(scalar)
    case .decimal(let text): return placeholder(text, isDecimal: true)
    case .attribute(let property):
      // A column of dates keeps whole seconds as integers, which would be calculated with as such.
      return property.attributeType == .date
        ? "CAST(\(column(property)) AS REAL)" : value(property)
    case .related(let property, let inner):
      guard let destination = property.destination?.entity else { return "NULL" }
      let other = following(destination)
      let owner: SQLFragment = "\(sql: other.name).Z_PK = \(sql: name).\(column(property))"
      return "(\(other.select(other.expression(inner), where: nil, conditions: [owner])))"
    case .aggregate(let gathering): return gather(gathering)
    case .grouped(let aggregate, let value): return gathered(aggregate, of: value)
    case .arithmetic(let operation, let a, let b): return calculate(operation, a, b)
    case .function(let function, let value) where value.kind == .decimal:
      return "CAST(z_exact(\(self.expression(value)), '\(sql: function.rawValue)') AS NUMERIC)"
    case .function(let function, let value):
      return "z_call(\(self.expression(value)), \(bind: .text(Array(function.rawValue.utf8))))"
    case .folded(let options, let value):
      return "z_fold(\(self.expression(value)), \(sql: String(options.rawValue)))"
    case .collated(let collator, let value):
      let locale = Array(collator.locale.utf8)
      return "z_collate(\(self.expression(value)), \(bind: .text(locale)))"
    case .section(let transform, let value):
      let place = Array(transform.place.utf8)
      return """
        z_section(\(self.expression(value)), \(sql: String(transform.number)), \
        \(bind: .text(place)))
        """
    case .zeroForNil(let value): return "coalesce(\(self.expression(value)), 0)"
    case .conditional(let test, let a, let b):
      return """
        CASE WHEN \(condition(test)) THEN \(self.expression(a)) ELSE \(self.expression(b)) END
        """
    }
  }

  func compare(
    _ a: BoundExpression, _ comparison: PredicateNode.ComparisonOperator, _ b: BoundExpression
  ) -> SQLFragment {
    let word =
      switch comparison {
      case .equal: "IS"
      case .notEqual: "IS NOT"
      case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
      }
    return "(\(expression(a)) \(sql: word) \(expression(b)))"
  }

  /// What the rows of the statement are called by those within it.
  var name: String { level == 0 ? schema.table(of: entity).sqlName : "t\(level)" }

  private func following(_ entity: EntityLayout) -> PredicateSQL {
    PredicateSQL(schema, entity, level: level + 1, chainLength: chainLength)
  }

  /// A statement that selects from the entity's rows.
  private func select(
    _ what: SQLFragment, where predicate: BoundPredicate?, conditions: [SQLFragment] = []
  ) -> SQLFragment {
    var terms = conditions
    let own = schema.entityCondition(entity, includesSubentities: true, prefix: "")
    if !own.isEmpty { terms.append(SQLFragment(sql: own)) }
    if let predicate { terms.append("(\(condition(predicate)))") }
    let table = SQLFragment(sql: "\(schema.table(of: entity).sqlName) AS \(name)")
    let filter: SQLFragment = terms.isEmpty ? "" : " WHERE \(terms.joined(by: " AND "))"
    return "SELECT \(what) FROM \(table)\(filter)"
  }

  private func end(of join: PropertyLayout.Join, at index: Int) -> SQLFragment {
    SQLFragment(sql: schema.sqlName(join.entity.properties[index], of: join.entity))
  }

  private func gather(_ gathering: BoundExpression.Gathering) -> SQLFragment {
    guard let destination = gathering.relationship.destination else { return "NULL" }
    let other = following(destination.entity)
    let owner: SQLFragment
    if let join = gathering.relationship.join {
      let table = SQLFragment(sql: schema.table(of: join.entity).sqlName)
      owner = """
        \(sql: other.name).Z_PK IN (SELECT \(end(of: join, at: join.far)) FROM \(table) \
        WHERE \(end(of: join, at: join.near)) = \(sql: name).Z_PK)
        """
    } else {
      let inverse = destination.entity.properties[destination.inverse]
      owner = "\(sql: other.name).\(other.column(inverse)) = \(sql: name).Z_PK"
    }
    let what = other.gathered(gathering.aggregate, of: gathering.value)
    return "(\(other.select(what, where: gathering.condition, conditions: [owner])))"
  }

  /// What is gathered from the rows of a statement.
  ///
  /// Integers are added by functions to 128 bits; reals and decimals exactly, so that no order changes
  /// their sums.
  func gathered(
    _ aggregate: QueryExpression.Aggregate, of expression: BoundExpression?
  ) -> SQLFragment {
    guard let expression else { return "count(*)" }
    let value = self.expression(expression)
    let isWhole = expression.kind == .integer && expression.isStored
    switch aggregate {
    case .count: return "count(\(value))"
    case .minimum: return "min(\(value))"
    case .maximum: return "max(\(value))"
    case .sum where expression.kind == .decimal:
      return "CAST(z_exact_total(\(value)) AS NUMERIC)"
    case .average where expression.kind == .decimal: return "z_exact_mean(\(value))"
    case .sum: return isWhole ? "z_sum(\(value))" : "z_total(\(value))"
    case .average: return isWhole ? "z_average(\(value))" : "z_mean(\(value))"
    }
  }

  private func calculate(
    _ operation: QueryExpression.Arithmetic, _ a: BoundExpression, _ b: BoundExpression
  ) -> SQLFragment {
    let left = expression(a)
    let right = expression(b)
    if a.kind.calculated(with: b.kind) == .decimal {
      return "CAST(z_exact(\(left), \(right), '\(sql: operation.rawValue)') AS NUMERIC)"
    }
    // SQLite would make integers of what has become real.
    if operation.isOfIntegers {
      return "z_whole(\(left), \(right), '\(sql: operation.rawValue)')"
    }
    return "(\(left) \(sql: operation.rawValue) \(right))"
  }

  private func constant(_ scalar: AttributeScalar) -> SQLFragment {
    switch scalar {
    case .null: "NULL"
    case .integer(let value): "\(bind: value)"
    case .real(let value): "\(bind: .real(value))"
    case .text(let text): "\(bind: .text(Array(text.utf8)))"
    case .blob(let data): "\(bind: .blob([UInt8](data)))"
    }
  }
}

extension SectionTransform {
  /// How `z_section` calls it.
  var number: Int {
    switch self {
    case .firstLetter: 0
    case .day: 1
    case .month: 2
    case .letter: 3
    }
  }

  /// The time zone or the locale; empty where it has none.
  var place: String {
    switch self {
    case .firstLetter: ""
    case .day(let zone), .month(let zone): zone
    case .letter(let locale): locale
    }
  }

  init(number: Int, place: String) {
    self =
      switch number {
      case 0: .firstLetter
      case 1: .day(timeZone: place)
      case 3: .letter(locale: place)
      default: .month(timeZone: place)
      }
  }

  /// Whether it takes texts, and not dates.
  var isOfTexts: Bool {
    switch self {
    case .firstLetter, .letter: true
    case .day, .month: false
    }
  }
}

extension TextSearch {
  /// How `z_find` calls it.
  var number: Int { (Self.kinds.firstIndex(of: kind) ?? 0) << 2 | options.rawValue }

  init(number: Int) {
    self.init(Self.kinds[number >> 2], TextOptions(rawValue: number & 3))
  }

  private static let kinds: [PredicateNode.TextOperator] = [
    .beginsWith, .contains, .endsWith, .like, .matches,
  ]
}
