import CauldronModel
import CauldronQuery
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
    case .exists(let property, let inner): return exists(property, where: inner)
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

/// A list travels in one or two parameters, however long it is, so that a condition has one text
/// and its statement is prepared once. A list of one value is a comparison, which can do more: the
/// rows that an index finds for it are in the order of their keys.
extension PredicateSQL {
  /// Whether a column has one of some integers.
  func isIn(_ name: SQLFragment, integers: Set<Int64>) -> SQLFragment {
    guard let first = integers.first else { return "0" }
    if integers.count == 1 { return "\(name) = \(bind: first)" }
    let json = "[" + integers.sorted().map(String.init).joined(separator: ",") + "]"
    return "\(name) IN (SELECT value FROM json_each(\(bind: .text(Array(json.utf8)))))"
  }

  /// Whether an attribute has one of some values.
  func isIn(_ property: PropertyLayout, _ set: Set<AttributeScalar>) -> SQLFragment {
    isIn(value(property), set, isDecimal: property.form == .decimal)
  }

  /// Whether what a piece of SQL gives is one of some values.
  func isIn(
    _ name: SQLFragment, _ set: Set<AttributeScalar>, isDecimal: Bool
  ) -> SQLFragment {
    var integers: Set<Int64> = []
    var reals: [Double] = []
    var texts: [String] = []
    var blobs: [Data] = []
    for scalar in set {
      switch scalar {
      case .null: continue
      case .integer(let value): integers.insert(value)
      case .real(let value): if !value.isNaN { reals.append(value) }
      case .text(let text) where isDecimal:
        if let number = DecimalNumber(text) { texts.append(number.description) }
      case .text(let text): texts.append(text)
      case .blob(let data): blobs.append(data)
      }
    }
    var terms: [SQLFragment] = []
    if !integers.isEmpty { terms.append(isIn(name, integers: integers)) }
    if !reals.isEmpty { terms.append(isIn(name, reals: reals.sorted())) }
    if !texts.isEmpty { terms.append(isIn(name, texts: texts.sorted(), isDecimal: isDecimal)) }
    if !blobs.isEmpty { terms.append(isIn(name, blobs: blobs)) }
    return terms.isEmpty ? "0" : "(\(terms.joined(by: " OR ")))"
  }

  /// Reals stay parameters, since written out as JSON they might lose their last bit. One of them
  /// is repeated until there is a power of two of them, so that there are few texts.
  /// `PredicateSplit` leaves no more than a statement takes.
  private func isIn(_ name: SQLFragment, reals: [Double]) -> SQLFragment {
    if reals.count == 1 { return "\(name) = \(bind: .real(reals[0]))" }
    let missing = Self.parameterCount(ofReals: reals.count) - reals.count
    let list = reals + repeatElement(reals[0], count: missing)
    let marks: [SQLFragment] = list.map { "\(bind: .real($0))" }
    return "\(name) IN (\(marks.joined(by: ",")))"
  }

  /// How many parameters so many reals take.
  static func parameterCount(ofReals count: Int) -> Int {
    count < 2 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
  }

  private func isIn(
    _ name: SQLFragment, texts: [String], isDecimal: Bool
  ) -> SQLFragment {
    if texts.count == 1 { return "\(name) = \(placeholder(texts[0], isDecimal: isDecimal))" }
    let type: SQLFragment = isDecimal ? "TEXT) AS NUMERIC)" : "TEXT)"
    let start: SQLFragment = isDecimal ? "CAST(CAST(" : "CAST("
    return Self.isIn(name, texts.map { Array($0.utf8) }) { "\(start)\($0) AS \(type)" }
  }

  private func isIn(_ name: SQLFragment, blobs: [Data]) -> SQLFragment {
    if blobs.count == 1 { return "\(name) = \(bind: .blob([UInt8](blobs[0])))" }
    return Self.isIn(name, blobs.map { [UInt8]($0) }) { $0 }
  }

  /// Many byte strings in two parameters: all bytes in one, and where each begins and how long it
  /// is in the other; so no escape can change a value, not even one that holds a zero byte.
  private static func isIn(
    _ name: SQLFragment, _ list: [[UInt8]], _ term: (SQLFragment) -> SQLFragment
  ) -> SQLFragment {
    var bytes: [UInt8] = []
    var places: [String] = []
    for element in list {
      places.append("\"\(bytes.count + 1)\":\(element.count)")
      bytes += element
    }
    let element = term("substr(\(bind: .blob(bytes)), key, value)")
    let json = Array("{\(places.joined(separator: ","))}".utf8)
    return "\(name) IN (SELECT \(element) FROM json_each(\(bind: .text(json))))"
  }
}

extension PredicateSQL {
  /// The conditions with a word between them.
  func join(_ list: [BoundPredicate], _ word: String, empty: SQLFragment) -> SQLFragment {
    if list.isEmpty { return empty }
    guard let first = StatementCost.deepest(list.map { $0.cost(chainLength) }) else {
      return chain(list.map { condition($0) }, word)
    }
    // So SQLite's parser, whose stack has 100 places, holds nothing but parentheses on the way down.
    let head = condition(list[first])
    var rest = list
    rest.remove(at: first)
    let tail = chain(rest.map { condition($0) }, word)
    return "\(head)\(sql: word)(\(tail))"
  }

  private func chain(_ terms: [SQLFragment], _ word: String) -> SQLFragment {
    var terms = terms
    while terms.count > chainLength {
      terms = stride(from: 0, to: terms.count, by: chainLength).map { start in
        let part = terms[start..<min(start + chainLength, terms.count)]
        return "(\(part.joined(by: word)))"
      }
    }
    return terms.joined(by: word)
  }
}
