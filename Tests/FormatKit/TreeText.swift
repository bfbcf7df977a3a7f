import CauldronModel
package import CauldronQuery
import Foundation

/// A tree spelt out with everything that it has, so that two trees have one text only if they are
/// one: `age >= 18` is `(>= age 18)`.
package enum TreeText {
  package static func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let value): return value ? "true" : "false"
    case .comparison(let a, let comparison, let b, let options):
      return "(\(comparison.rawValue)\(text(options)) \(text(a)) \(text(b)))"
    case .text(let a, let search, let b, let options):
      return "(\(search.rawValue.lowercased())\(text(options)) \(text(a)) \(text(b)))"
    case .isIn(let value, let list, let options):
      return "(in\(text(options)) \(([text(value)] + list.map(text)).joined(separator: " ")))"
    case .isNil(let path): return "(nil? \(text(path)))"
    case .refersTo(let path, let ids): return "(to \(text(path))\(text(ids)))"
    case .isSelf(let ids): return "(self\(text(ids)))"
    case .quantified(let quantifier, let path, let condition):
      return "(\(quantifier.rawValue.lowercased()) \(text(path)) \(text(condition)))"
    case .joined(let junction):
      let list = junction.conditions.map(text).joined(separator: " ")
      let kind = junction.kind == .all ? "and" : "or"
      if !junction.isNegated { return "(\(kind) \(list))" }
      return junction.conditions.count == 1 ? "(not \(list))" : "(not (\(kind) \(list)))"
    }
  }

  package static func text(_ expression: QueryExpression) -> String {
    switch expression {
    case .value(let scalar): return text(scalar)
    case .property(let path): return text(path)
    case .arithmetic(let operation, let a, let b):
      return "(\(operation.rawValue) \(text(a)) \(text(b)))"
    case .function(let function, let value): return "(\(function.rawValue) \(text(value)))"
    case .aggregate(let aggregate, let path, let value, let condition):
      let parts = [value.map(text), condition.map { "where \(text($0))" }].compactMap { $0 }
      return "(\(([aggregate.rawValue, text(path)] + parts).joined(separator: " ")))"
    case .conditional(let condition, let a, let b):
      return "(if \(text(condition)) \(text(a)) \(text(b)))"
    }
  }

  private static func text(_ path: PropertyPath) -> String {
    path.steps.isEmpty ? "." : path.steps.map(step).joined(separator: ".")
  }

  /// A name, in brackets where it is no word.
  private static func step(_ name: String) -> String {
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isWord && !name.isEmpty ? name : "[\(name)]"
  }

  private static func text(_ scalar: AttributeScalar) -> String {
    switch scalar {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)r"
    case .text(let text): "'\(visible(text))'"
    case .blob(let data): "<\(data.map { "\($0)" }.joined(separator: " "))>"
    }
  }

  /// A text with the numbers of what cannot be seen.
  private static func visible(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "<\(scalar.value)>" : String(scalar)
    }.joined()
  }

  private static func text(_ ids: [ManagedObjectID]) -> String {
    ids.map { " #\($0.entityNumber)/\($0.key)" }.joined()
  }

  private static func text(_ options: TextOptions) -> String {
    if options.isEmpty { return "" }
    return "[\(options.contains(.ignoringCase) ? "c" : "")"
      + "\(options.contains(.ignoringDiacritics) ? "d" : "")]"
  }
}
