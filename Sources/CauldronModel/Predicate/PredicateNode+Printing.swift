import Foundation

extension PredicateNode: CustomStringConvertible {
  /// The condition as a format string, such as `age >= 18 AND name BEGINSWITH[cd] "jö"`.
  ///
  /// ``init(format:_:)`` reads what is printed. Objects are printed as their URIs, as
  /// `CAST("x-coredata://…", "ObjectID")`, and bytes in Base64, as `CAST("AQI=", "Data")`. What is asked of
  /// the objects of a relationship has a variable of its own, `SUBQUERY(skills, $x, $x.level > 3)`.
  ///
  /// One that is too deep to be asked is not printed.
  public var description: String {
    isTooDeep ? TreePart.tooDeepText : text(in: .none, FormatScope())
  }

  /// What a condition stands in, which decides whether it needs parentheses.
  enum Place { case none, all, any, not }

  func text(in place: Place = .none, _ scope: FormatScope) -> String {
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let a, let comparison, let b, let options):
      return "\(a.text(scope)) \(comparison.text)\(options.suffix) \(b.text(scope))"
    case .text(let a, let search, let b, let options):
      return "\(a.text(scope)) \(search.rawValue)\(options.suffix) \(b.text(scope))"
    case .isIn(let value, let list, let options):
      let values = list.map(\.formatText).joined(separator: ", ")
      return "\(value.text(scope)) IN\(options.suffix) {\(values)}"
    case .isNil(let path): return "\(scope.text(path)) == NIL"
    case .refersTo(let path, let ids):
      // An empty list does not tell what it is a list of.
      let end = ids.isEmpty ? path.appending("objectID") : path
      return Self.text(scope.text(end), ids)
    case .isSelf(let ids): return Self.text(scope.text(PropertyPath(steps: [])), ids)
    case .quantified(let quantifier, let path, let condition):
      return Self.text(quantifier, path, condition, scope)
    case .joined(let junction): return Self.text(junction, in: place, scope)
    }
  }

  private static func text(_ path: String, _ ids: [ManagedObjectID]) -> String {
    let names = ids.map { id in
      "CAST(\(AttributeScalar.text(IDCoding.text(of: id)).formatText), \"ObjectID\")"
    }
    if names.count == 1 { return "\(path) == \(names[0])" }
    return "\(path) IN {\(names.joined(separator: ", "))}"
  }

  /// With a variable, since a condition may have several parts.
  private static func text(
    _ quantifier: Quantifier, _ path: PropertyPath, _ condition: PredicateNode,
    _ scope: FormatScope
  ) -> String {
    if path.steps.isEmpty { return "\(quantifier.rawValue) \(condition.compared(scope))" }
    let wanted = quantifier == .all ? PredicateNode.not(condition) : condition
    return "\(scope.subquery(path, wanted)).@count" + (quantifier == .any ? " > 0" : " == 0")
  }

  /// Behind ANY, ALL or NONE, where only a comparison has no parentheses.
  private func compared(_ scope: FormatScope) -> String {
    switch self {
    case .comparison, .text, .isIn, .isNil, .refersTo, .isSelf: text(scope)
    case .constant, .quantified, .joined: "(\(text(scope)))"
    }
  }

  private static func text(
    _ junction: PredicateJunction, in place: Place, _ scope: FormatScope
  ) -> String {
    if junction.isNegated {
      guard junction.conditions.count == 1 else { return "NOT (\(list(junction, scope)))" }
      if case .isNil(let path) = junction.conditions[0] { return "\(scope.text(path)) != NIL" }
      return "NOT \(junction.conditions[0].text(in: .not, scope))"
    }
    let own: Place = junction.kind == .all ? .all : .any
    let text = list(junction, scope)
    return place == .none || place == own ? text : "(\(text))"
  }

  private static func list(_ junction: PredicateJunction, _ scope: FormatScope) -> String {
    let place: Place = junction.kind == .all ? .all : .any
    return junction.conditions.map { $0.text(in: place, scope) }
      .joined(separator: junction.kind == .all ? " AND " : " OR ")
  }
}

/// Whose properties the paths of a printed condition are.
struct FormatScope {
  /// How many relationships lie around it.
  private var level = 0

  private var variable: String { level == 1 ? "$x" : "$x\(level)" }

  func text(_ path: PropertyPath) -> String {
    if level == 0 { return path.formatText }
    return path.steps.isEmpty ? variable : "\(variable).\(path.formatText)"
  }

  /// The objects of a relationship for which a condition holds.
  func subquery(_ path: PropertyPath, _ condition: PredicateNode) -> String {
    var inner = self
    inner.level += 1
    return "SUBQUERY(\(text(path)), \(inner.variable), \(condition.text(inner)))"
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
    return steps.map(FormatWords.escaped).joined(separator: ".")
  }
}
