package import CauldronModel
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
      return Self.text(of: scope.text(end), among: ids)
    case .isSelf(let ids): return Self.text(of: scope.text(PropertyPath(steps: [])), among: ids)
    case .quantified(let quantifier, let path, let condition):
      return Self.text(quantifier, of: path, where: condition, scope: scope)
    case .joined(let junction): return Self.text(junction, in: place, scope: scope)
    }
  }

  private static func text(of path: String, among ids: [ManagedObjectID]) -> String {
    let names = ids.map { id in
      "CAST(\(AttributeScalar.text(IDCoding.text(of: id)).formatText), \"ObjectID\")"
    }
    if names.count == 1 { return "\(path) == \(names[0])" }
    return "\(path) IN {\(names.joined(separator: ", "))}"
  }

  /// With a variable, since a condition may have several parts.
  private static func text(
    _ quantifier: Quantifier, of path: PropertyPath, where condition: PredicateNode,
    scope: FormatScope
  ) -> String {
    if path.steps.isEmpty { return "\(quantifier.rawValue) \(condition.compared(scope))" }
    let wanted = quantifier == .all ? PredicateNode.not(condition) : condition
    return "\(scope.subquery(of: path, where: wanted)).@count"
      + (quantifier == .any ? " > 0" : " == 0")
  }

  /// Behind ANY, ALL or NONE, where only a comparison has no parentheses.
  private func compared(_ scope: FormatScope) -> String {
    switch self {
    case .comparison, .text, .isIn, .isNil, .refersTo, .isSelf: text(scope)
    case .constant, .quantified, .joined: "(\(text(scope)))"
    }
  }

  private static func text(
    _ junction: PredicateJunction, in place: Place, scope: FormatScope
  ) -> String {
    if junction.isNegated {
      guard junction.conditions.count == 1 else { return "NOT (\(list(junction, scope: scope)))" }
      // As it is printed once it was read.
      switch junction.conditions[0] {
      case .isNil(let path), .comparison(.property(let path), .equal, .value(.null), []):
        return "\(scope.text(path)) != NIL"
      case .comparison(.property(let path), .notEqual, .value(.null), []):
        return "\(scope.text(path)) == NIL"
      default: break
      }
      return "NOT \(junction.conditions[0].text(in: .not, scope))"
    }
    let own: Place = junction.kind == .all ? .all : .any
    let text = list(junction, scope: scope)
    return place == .none || place == own ? text : "(\(text))"
  }

  private static func list(_ junction: PredicateJunction, scope: FormatScope) -> String {
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
  func subquery(of path: PropertyPath, where condition: PredicateNode) -> String {
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

extension QueryExpression: CustomStringConvertible {
  /// The expression as a part of a format string, such as `price * (1 + tax)`.
  ///
  /// One that is too deep to be asked is not printed.
  public var description: String { isTooDeep ? TreePart.tooDeepText : text(FormatScope()) }

  func text(_ scope: FormatScope) -> String {
    switch self {
    case .value(let scalar): scalar.formatText
    case .property(let path): scope.text(path)
    case .arithmetic(.remainder, let a, let b):
      "modulus:by:(\(a.text(scope)), \(b.text(scope)))"
    case .arithmetic(let operation, let a, let b):
      "\(a.operand(scope)) \(operation.rawValue) \(b.operand(scope))"
    case .function(let function, let value): "\(function.name)(\(value.text(scope)))"
    case .aggregate(let aggregate, let path, let value, let condition):
      AggregateCall(aggregate: aggregate, path: path, value: value, condition: condition)
        .text(scope)
    case .conditional(let condition, let a, let b):
      "TERNARY(\(condition.text(scope)), \(a.text(scope)), \(b.text(scope)))"
    }
  }

  private func operand(_ scope: FormatScope) -> String {
    if case .arithmetic = self { return "(\(text(scope)))" }
    return text(scope)
  }

}

extension AggregateCall {
  fileprivate func text(_ scope: FormatScope) -> String {
    let objects = condition.map { scope.subquery(of: path, where: $0) } ?? scope.text(path)
    guard let value else { return "\(objects).@\(aggregate.rawValue)" }
    // What is gathered is named from the objects on.
    if case .property(let inner) = value, !inner.steps.isEmpty {
      return "\(objects).@\(aggregate.rawValue).\(value)"
    }
    return "\(objects).@\(aggregate.rawValue).(\(value))"
  }
}

extension AttributeScalar {
  /// The value as a format string has it.
  package var formatText: String {
    switch self {
    case .null: "NIL"
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? "\(value)" : "CAST(\"\(value)\", \"Double\")"
    case .text(let text): Self.quoted(text)
    case .blob(let data): "CAST(\"\(data.base64EncodedString())\", \"Data\")"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// The words of format strings, and what is one.
package enum FormatWords {
  /// Words that are no names of properties, unless a `#` stands before them.
  package static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "IN", "BETWEEN", "LIKE", "MATCHES",
    "CONTAINS", "BEGINSWITH", "ENDSWITH", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "SELF",
    "CAST", "TERNARY", "SUBQUERY", "TRUEPREDICATE", "FALSEPREDICATE", "FIRST", "LAST", "SIZE",
    "FUNCTION",
  ]

  /// Whether a word may begin with a character.
  static func begins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: !scalar.isASCII && scalar.properties.isIDStart
    }
  }

  /// Whether a word may go on with a character.
  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_", "0"..."9": true
    default: !scalar.isASCII && scalar.properties.isIDContinue
    }
  }

  /// A name as format strings have it: with a `#` before what is a word of the grammar, and in quotes
  /// where it is no word at all.
  static func escaped(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, begins(first), scalars.allSatisfy(continues) else {
      return "#\(AttributeScalar.text(name).formatText)"
    }
    return reserved.contains(name.uppercased()) ? "#\(name)" : name
  }
}
