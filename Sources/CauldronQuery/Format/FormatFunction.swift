import CauldronModel
import Foundation

/// The functions of format strings.
enum FormatFunction {
  private enum Meaning {
    case now
    case itself
    case cast
    case power
    case arithmetic(QueryExpression.Arithmetic)
    case function(QueryExpression.Function)
    case aggregate(QueryExpression.Aggregate)
  }

  private static let meanings = named.merging(
    QueryExpression.Function.allCases.map { ($0.name, .function($0)) }
  ) { first, _ in first }

  /// Those that are no functions of one value.
  private static let named: [String: Meaning] = [
    "now": .now, "noindex:": .itself, "castObject:toType:": .cast, "raise:toPower:": .power,
    "add:to:": .arithmetic(.add), "from:subtract:": .arithmetic(.subtract),
    "multiply:by:": .arithmetic(.multiply), "divide:by:": .arithmetic(.divide),
    "modulus:by:": .arithmetic(.remainder), "bitwiseAnd:with:": .arithmetic(.bitAnd),
    "bitwiseOr:with:": .arithmetic(.bitOr), "bitwiseXor:with:": .arithmetic(.bitXor),
    "count:": .aggregate(.count), "sum:": .aggregate(.sum), "min:": .aggregate(.minimum),
    "max:": .aggregate(.maximum), "average:": .aggregate(.average),
  ]

  /// What Core Data knows beside these, and the tree has nothing for.
  private static let meaningless: Set<String> = [
    "median:", "mode:", "stddev:", "sqrt:", "log:", "ln:", "exp:", "ceiling:", "trunc:",
    "random", "random:", "leftshift:by:", "rightshift:by:", "onesComplement:", "canonical:",
    "inverseOrderKey",
    "distanceToLocation:fromLocation:", "objectFrom:withIndex:", "valueFor:", "chs:",
  ]

  /// - Throws: A mistake where there is no such function.
  static func check(_ name: String, at start: Int) throws {
    if meanings[name] != nil { return }
    if let meaning = meanings[name + ":"] {
      var hint = "Write \(name):(name)."
      if case .aggregate(let aggregate) = meaning {
        hint = "Write \(name):(skills.level), or skills.@\(aggregate.rawValue).level."
      }
      throw FormatMistake("the function \(name) is written \(name):", start, hint: hint)
    }
    if meaningless.contains(name) {
      throw FormatMistake.meaningless(
        "the function \(name)", at: start, hint: "Calculate with the fetched objects.")
    }
    let hint = Suggestion.hint(for: name, among: meanings.keys.sorted())
    throw FormatMistake("unknown function \(name)", start, hint: hint)
  }

  /// A call with its arguments.
  static func call(
    _ name: String, with parts: [FormatOperand], at start: Int
  ) throws -> FormatOperand {
    guard let meaning = meanings[name] else {
      throw FormatMistake("unknown function \(name)", start)
    }
    let count = name.count { $0 == ":" }
    guard parts.count == count else {
      throw FormatMistake(
        "\(name) takes \(count) argument\(count == 1 ? "" : "s"), and has \(parts.count)", start)
    }
    let depth = 1 + (parts.map(\.depth).max() ?? 0)
    let expression: QueryExpression
    switch meaning {
    case .now: expression = .value(.real(Date.now.timeIntervalSinceReferenceDate))
    case .itself: return parts[0]
    case .cast: return try FormatCast.cast(parts[0], to: parts[1], at: start)
    case .power: expression = .value(try power(parts[0], to: parts[1], at: start))
    case .arithmetic(let operation):
      expression = .arithmetic(
        operation, try parts[0].expression(), try parts[1].expression())
    case .function(let function):
      expression = .function(function, try parts[0].expression())
    case .aggregate(let aggregate):
      return try gather(aggregate, named: name, of: parts[0], at: start)
    }
    return try operand(expression, depth: depth, at: start)
  }

  private static func operand(
    _ expression: QueryExpression, depth: Int, at start: Int
  ) throws -> FormatOperand {
    let isValue = if case .value = expression { true } else { false }
    let operand = FormatOperand(.value(expression), depth: isValue ? 0 : depth, start)
    try operand.check()
    return operand
  }

  /// `sum:(skills.level)`: all but the last step leads to the objects.
  private static func gather(
    _ aggregate: QueryExpression.Aggregate, named name: String, of part: FormatOperand,
    at start: Int
  ) throws -> FormatOperand {
    switch part.content {
    case .value(.property(let path)) where aggregate == .count:
      return try operand(.aggregate(.count, of: path, nil), depth: 1, at: start)
    case .value(.property(let path)) where !path.steps.isEmpty:
      let objects = PropertyPath(steps: Array(path.steps.dropLast()))
      let value = QueryExpression.property(PropertyPath(steps: Array(path.steps.suffix(1))))
      return try operand(.aggregate(aggregate, of: objects, value), depth: 1, at: start)
    case .subquery(let path, let condition) where aggregate == .count:
      let gathering = FormatGathering(aggregate: .count, path: path, condition: condition)
      return FormatOperand(.gathering(gathering), depth: part.depth, start)
    default:
      throw FormatMistake(
        "\(name) is of a path through a to-many relationship alone", part.start,
        hint: "Write \(name)(skills.level), or skills.@\(aggregate.rawValue).")
    }
  }

  /// `FUNCTION(name, "uppercaseString")`: a few methods are functions, too.
  static func method(_ parts: [FormatOperand], at start: Int) throws -> FormatOperand {
    let methods = [
      "lowercaseString": "lowercase:", "uppercaseString": "uppercase:", "length": "length:",
    ]
    guard parts.count >= 2, case .text(let name)? = parts[1].scalar else {
      throw FormatMistake(
        "FUNCTION takes a value, the name of a method in quotes, and its arguments", start)
    }
    guard let function = methods[name], parts.count == 2 else {
      throw FormatMistake.meaningless(
        "the method \(name)", at: parts[1].start,
        hint: "Only lowercaseString, uppercaseString and length are known.")
    }
    return try call(function, with: [parts[0]], at: start)
  }

  /// A power of two numbers that are spelt out.
  static func power(
    _ base: FormatOperand, to exponent: FormatOperand, at start: Int
  ) throws -> AttributeScalar {
    guard let a = base.scalar, let b = exponent.scalar else {
      throw FormatMistake.meaningless(
        "a power of what is not spelt out", at: start,
        hint: "Multiply, or calculate with the fetched objects.")
    }
    if case (.integer(let a), .integer(let b)) = (a, b), b >= 0,
      let whole = wholePower(a, to: b)
    {
      return .integer(whole)
    }
    guard let a = real(a), let b = real(b), pow(a, b).isFinite else {
      throw FormatMistake("a power that is no number", start)
    }
    return .real(pow(a, b))
  }

  private static func real(_ scalar: AttributeScalar) -> Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }

  /// Nil beyond 64 bits.
  private static func wholePower(_ base: Int64, to exponent: Int64) -> Int64? {
    if base == 0 || base == 1 { return exponent == 0 ? 1 : base }
    if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
    guard exponent < 64 else { return nil }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, isOver) = result.multipliedReportingOverflow(by: base)
      if isOver { return nil }
      result = product
    }
    return result
  }
}
