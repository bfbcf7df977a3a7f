import Foundation

extension PredicateNode: CustomStringConvertible {
  /// The condition as a format string, such as `age >= 18 AND name BEGINSWITH[cd] "jö"`.
  ///
  /// Objects are printed as their URIs, and bytes in Base64, as `CAST("AQI=", "Data")`.
  public var description: String { text(in: .none) }

  /// What a condition stands in, which decides whether it needs parentheses.
  private enum Place { case none, all, any, not }

  private func text(in place: Place) -> String {
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let a, let comparison, let b, let options):
      return "\(a) \(comparison.text)\(options.suffix) \(b)"
    case .text(let a, let search, let b, let options):
      return "\(a) \(search.rawValue)\(options.suffix) \(b)"
    case .isIn(let value, let list, let options):
      let values = list.map(\.formatText).joined(separator: ", ")
      return "\(value) IN\(options.suffix) {\(values)}"
    case .isNil(let path): return "\(path.formatText) == NIL"
    case .refersTo(let path, let ids): return Self.text(path, ids)
    case .isSelf(let ids): return Self.text("SELF", ids)
    case .quantified(let quantifier, let path, let condition):
      return Self.text(quantifier, path, condition)
    case .joined(let junction): return Self.text(junction, in: place)
    }
  }

  private static func text(_ path: PropertyPath, _ ids: [ManagedObjectID]) -> String {
    let names = ids.map { AttributeScalar.text(IDCoding.text(of: $0)).formatText }
    return "\(path.formatText) IN {\(names.joined(separator: ", "))}"
  }

  /// With a variable, since a condition may have several parts.
  private static func text(
    _ quantifier: Quantifier, _ path: PropertyPath, _ condition: PredicateNode
  ) -> String {
    let isAll = quantifier == .all
    let wanted = isAll ? PredicateNode.not(condition) : condition
    return "SUBQUERY(\(path.formatText), $x, \(wanted.description)).@count"
      + (quantifier == .any ? " > 0" : " == 0")
  }

  private static func text(_ junction: PredicateJunction, in place: Place) -> String {
    if junction.isNegated {
      guard junction.conditions.count == 1 else {
        return "NOT (\(text(junction, junction.kind)))"
      }
      return "NOT \(junction.conditions[0].text(in: .not))"
    }
    let own: Place = junction.kind == .all ? .all : .any
    let text = text(junction, junction.kind)
    return place == .none || place == own ? text : "(\(text))"
  }

  private static func text(
    _ junction: PredicateJunction, _ kind: PredicateJunction.Kind
  ) -> String {
    let place: Place = kind == .all ? .all : .any
    return junction.conditions.map { $0.text(in: place) }
      .joined(separator: kind == .all ? " AND " : " OR ")
  }
}

extension PredicateNode.ComparisonOperator {
  /// As format strings have it.
  fileprivate var text: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
    }
  }
}

extension PropertyPath {
  /// The path with a `#` before what is a word of the grammar.
  package var formatText: String {
    if steps.isEmpty { return "SELF" }
    return steps.map { FormatWords.reserved.contains($0.uppercased()) ? "#\($0)" : $0 }
      .joined(separator: ".")
  }
}

/// The words of format strings that are no names of properties, unless a `#` stands before them.
package enum FormatWords {
  package static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "IN", "BETWEEN", "LIKE", "MATCHES",
    "CONTAINS", "BEGINSWITH", "ENDSWITH", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "SELF",
    "CAST", "TERNARY", "SUBQUERY", "TRUEPREDICATE", "FALSEPREDICATE", "FIRST", "LAST", "SIZE",
    "FUNCTION",
  ]
}
