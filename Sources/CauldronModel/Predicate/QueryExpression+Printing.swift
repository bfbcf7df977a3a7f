import Foundation

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
    case .function(let function, let value): "\(function.rawValue):(\(value.text(scope)))"
    case .aggregate(let aggregate, let path, let value, let condition):
      Self.text(aggregate, path, value, condition, scope)
    case .conditional(let condition, let a, let b):
      "TERNARY(\(condition.text(scope)), \(a.text(scope)), \(b.text(scope)))"
    }
  }

  private func operand(_ scope: FormatScope) -> String {
    if case .arithmetic = self { return "(\(text(scope)))" }
    return text(scope)
  }

  private static func text(
    _ aggregate: Aggregate, _ path: PropertyPath, _ value: QueryExpression?,
    _ condition: PredicateNode?, _ scope: FormatScope
  ) -> String {
    let objects = condition.map { scope.subquery(path, $0) } ?? scope.text(path)
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
