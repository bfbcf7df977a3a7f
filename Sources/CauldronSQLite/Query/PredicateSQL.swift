import CauldronModel
import Foundation

/// Writes a predicate as an SQL condition with exactly its two-valued meaning.
///
/// A condition may come out as NULL, which counts as false wherever it is not negated; a negation
/// asks `IS NOT TRUE`, which is true of NULL.
struct PredicateSQL {
  let schema: StoreSchema
  let entity: EntityLayout
  /// How many statements lie around the one that the condition is in.
  let level: Int
  /// How many conditions stand beside one another before parentheses gather them.
  let chainLength: Int

  init(_ schema: StoreSchema, _ entity: EntityLayout, level: Int = 0, chainLength: Int = 32) {
    self.schema = schema
    self.entity = entity
    self.level = level
    self.chainLength = chainLength
  }

  /// The condition with its values.
  func condition(_ predicate: BoundPredicate) -> SQLFragment {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .isNull(let property): return "\(column(property)) IS NULL"
    case .comparison(let property, let comparison, let scalar):
      return compare(property, comparison, scalar)
    case .text(let property, let search, let text): return self.search(property, search, text)
    case .isIn(let property, let set): return isIn(property, set)
    case .refersTo(let property, let keys): return isIn(column(property), integers: keys)
    case .isSelf(let keys): return isIn("Z_PK", integers: keys)
    case .isAfter(let key): return "Z_PK > \(bind: key)"
    case .and(let list): return join(list, " AND ", empty: "1")
    case .or(let list):
      let text = join(list, " OR ", empty: "0")
      // Beyond a few, SQLite's search for an index for each costs more than it can save; the plus
      // keeps it from looking (https://www.sqlite.org/optoverview.html#or_optimizations).
      return list.count > 64 ? "+(\(text))" : "(\(text))"
    case .not(let inner): return "((\(condition(inner))) IS NOT TRUE)"
    case .exists(let property, let inner): return exists(property, inner)
    case .compare(let a, let comparison, let b): return compare(a, comparison, b)
    case .search(let a, let search, let b):
      return "z_find(\(expression(a)), \(expression(b)), \(sql: String(search.number)))"
    case .matches(let value, let pattern):
      let text: SQLFragment = "\(bind: .text(Array(pattern.text.utf8)))"
      return "z_match(\(expression(value)), \(text), \(sql: String(pattern.options.rawValue)))"
    case .member(let value, let set):
      return isIn(expression(value), set, isDecimal: value.kind == .decimal)
    }
  }

  func column(_ property: PropertyLayout) -> SQLFragment {
    SQLFragment(sql: schema.sqlName(property, of: entity))
  }

  /// What a property is compared by: its column, or whether that is not 0 where it is a truth value,
  /// since that is how it is read.
  func value(_ property: PropertyLayout) -> SQLFragment {
    SQLFragment(sql: schema.sqlValue(property, of: entity))
  }

  private func compare(
    _ property: PropertyLayout, _ comparison: PredicateNode.ComparisonOperator,
    _ scalar: AttributeScalar
  ) -> SQLFragment {
    let name = column(property)
    if case .real(let number) = scalar, number.isNaN {
      // Nothing equals NaN, which SQLite would take for NULL.
      return comparison == .notEqual ? "1" : "0"
    }
    if case .text(let text) = scalar, property.form == .decimal,
      DecimalNumber(text) == nil
    {
      // Nor does anything equal a number that no decimal can be.
      return comparison == .notEqual ? "1" : "0"
    }
    let left = self.value(property)
    let value = placeholder(scalar, property)
    if comparison == .notEqual { return "(\(left) <> \(value) OR \(name) IS NULL)" }
    return "\(left) \(sql: comparison.rawValue) \(value)"
  }

  func placeholder(_ scalar: AttributeScalar, _ property: PropertyLayout) -> SQLFragment {
    switch scalar {
    case .null: return "NULL"
    case .integer(let value): return "\(bind: value)"
    case .real(let value): return "\(bind: .real(value))"
    case .blob(let data): return "\(bind: .blob([UInt8](data)))"
    case .text(let text):
      return placeholder(text, isDecimal: property.form == .decimal)
    }
  }

  func placeholder(_ text: String, isDecimal: Bool) -> SQLFragment {
    guard isDecimal else { return "\(bind: .text(Array(text.utf8)))" }
    let number = DecimalNumber(text)?.description ?? text
    return "CAST(\(bind: .text(Array(number.utf8))) AS NUMERIC)"
  }

  /// Searches byte by byte in UTF-8; the column itself stays on the left, so that an index on it
  /// serves `beginsWith` (https://www.sqlite.org/optoverview.html#the_like_optimization).
  private func search(
    _ property: PropertyLayout, _ search: PredicateNode.TextOperator, _ text: String
  ) -> SQLFragment {
    let name: SQLFragment =
      property.form == .decimal ? "CAST(\(column(property)) AS TEXT)" : column(property)
    let bytes = Array(text.utf8)
    guard let last = bytes.last else { return "\(name) IS NOT NULL" }
    switch search {
    case .beginsWith:
      // The last byte of UTF-8 is never 0xFF, so the next greater one exists.
      let end = bytes.dropLast() + [last + 1]
      return "(\(name) >= \(bind: .text(bytes)) AND \(name) < \(bind: .text(Array(end))))"
    case .contains:
      return "instr(\(name), \(bind: .text(bytes))) > 0"
    // Patterns are bound to expressions.
    case .like, .matches: return "0"
    case .endsWith:
      let tail: SQLFragment = "substr(CAST(\(name) AS BLOB), \(bind: -Int64(bytes.count)))"
      return "\(tail) = \(bind: .blob(bytes))"
    }
  }
}
