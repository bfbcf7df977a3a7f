import Foundation

extension QueryExpression: CustomStringConvertible {
  /// The expression as a part of a format string, such as `price * (1 + tax)`.
  public var description: String {
    switch self {
    case .value(let scalar): scalar.formatText
    case .property(let path): path.formatText
    case .arithmetic(.remainder, let a, let b): "modulus:by:(\(a), \(b))"
    case .arithmetic(let operation, let a, let b):
      "\(a.operand) \(operation.rawValue) \(b.operand)"
    case .function(let function, let value): "\(function.rawValue):(\(value))"
    case .aggregate(let aggregate, let path, let value, let condition):
      Self.text(aggregate, path, value, condition)
    case .conditional(let condition, let a, let b): "TERNARY(\(condition), \(a), \(b))"
    }
  }

  private var operand: String {
    if case .arithmetic = self { return "(\(self))" }
    return description
  }

  private static func text(
    _ aggregate: Aggregate, _ path: PropertyPath, _ value: QueryExpression?,
    _ condition: PredicateNode?
  ) -> String {
    let objects = condition.map { "SUBQUERY(\(path.formatText), $x, \($0))" } ?? path.formatText
    guard let value else { return "\(objects).@\(aggregate.rawValue)" }
    return "\(objects).@\(aggregate.rawValue).\(value)"
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
