import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import _StringProcessing

/// Finds rules of an attribute that no value could keep, or that its type does not fit.
enum RuleReader {
  /// The first problem of the rules; what is not written out is left to the model, which finds it when
  /// it is built.
  /// - Parameter type: The attribute's type without its optionality, where it is a built-in one.
  static func finding(_ stored: StoredVariable, builtIn type: TypeSyntax?) -> Finding? {
    stored.arguments.lazy.filter { $0.label == nil }.compactMap {
      Rule($0, stored).flatMap { finding(for: $0, of: type?.lastName) }
    }.first
  }

  private static func finding(for rule: Rule, of type: String?) -> Finding? {
    switch rule.name {
    case "length": needsString(rule, for: type) ?? emptyRange(rule)
    case "matches": needsString(rule, for: type) ?? badPattern(rule)
    case "range":
      needsNumber(rule, for: type) ?? otherType(of: rule, than: type) ?? emptyRange(rule)
    default: nil
    }
  }

  private static func needsString(_ rule: Rule, for type: String?) -> Finding? {
    guard let type, type != "String" else { return nil }
    let replacement = rule.name == "length" && numbers.contains(type) ? "range" : nil
    return Finding(
      rule.place, .ruleNeedsString(rule: rule.name, name: rule.property, type: rule.type),
      fixIts: fixIts(for: rule, with: replacement))
  }

  private static func needsNumber(_ rule: Rule, for type: String?) -> Finding? {
    guard let type, !numbers.contains(type), !["Date", "Duration"].contains(type) else {
      return nil
    }
    let isLength = type == "String" && rule.bounds.allSatisfy { $0.evidentTypeName == "Int" }
    return Finding(
      rule.place, .rangeNeedsNumber(name: rule.property, type: rule.type),
      fixIts: fixIts(for: rule, with: isLength ? "length" : nil))
  }

  /// Numbers as bounds of what is none, what is no number as bounds of one, and fractions as bounds of
  /// integers.
  private static func otherType(of rule: Rule, than type: String?) -> Finding? {
    let bounds = rule.bounds.compactMap { $0.isConstantLiteral ? $0.evidentTypeName : nil }
    guard let type else { return nil }
    let isOther =
      ["Date", "Duration"].contains(type) && !bounds.isEmpty
      || type.hasPrefix("Int") && bounds.contains("Double")
      || numbers.contains(type) && bounds.contains { ["String", "Bool"].contains($0) }
    guard isOther, let first = rule.argument else { return nil }
    return Finding(
      first, .rangeOfOtherType(name: rule.property, type: type),
      fixIts: fixIts(for: rule, with: nil))
  }

  private static func emptyRange(_ rule: Rule) -> Finding? {
    guard let argument = rule.argument, rule.bounds.count == 2,
      let least = rule.bounds[0].literalNumber, let most = rule.bounds[1].literalNumber,
      least > most
    else { return nil }
    let text = "\(rule.bounds[1].trimmedDescription)...\(rule.bounds[0].trimmedDescription)"
    return Finding(
      argument, .emptyRange(name: rule.property, range: argument.trimmedDescription),
      fixIts: [FixIt("replace it with '\(text)'", .replace(argument, with: text))])
  }

  private static func badPattern(_ rule: Rule) -> Finding? {
    guard let argument = rule.argument,
      let pattern = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    else { return nil }
    do {
      _ = try Regex(pattern)
      return nil
    } catch {
      return Finding(argument, .badPattern(name: rule.property, reason: "\(error)"))
    }
  }

  private static let numbers: Set<String> = [
    "Int", "Int16", "Int32", "Int64", "Double", "Float", "Decimal",
  ]

  /// Another rule in its place, where one is meant, or none.
  private static func fixIts(for rule: Rule, with replacement: String?) -> [FixIt] {
    let other = replacement.map {
      FixIt("replace '.\(rule.name)' with '.\($0)'", .replace(rule.place, with: $0))
    }
    return [other, rule.removal].compactMap { $0 }
  }
}

/// A rule as it is written: `.length(1...40)`.
private struct Rule {
  let name: String
  /// The rule's name in the source.
  let place: TokenSyntax
  let argument: ExprSyntax?
  let property: String
  /// The property's type as written.
  let type: String
  /// Takes the rule out.
  let removal: FixIt?

  init?(_ expression: LabeledExprSyntax, _ stored: StoredVariable) {
    guard let call = expression.expression.as(FunctionCallExprSyntax.self),
      let callee = call.calledExpression.as(MemberAccessExprSyntax.self), callee.isOfRules
    else { return nil }
    place = callee.declName.baseName
    name = place.text
    argument = call.arguments.first?.expression
    property = stored.name
    type = stored.type.trimmedDescription
    removal = stored.attribute.map { attribute in
      let others = stored.allArguments.filter { $0.id != expression.id }
        .map { $0.with(\.trailingComma, nil).trimmedDescription }
      let list = others.isEmpty ? "" : "(\(others.joined(separator: ", ")))"
      return FixIt(
        "remove the rule",
        .replace(attribute, with: "@\(attribute.attributeName.trimmedDescription)\(list)"))
    }
  }

  /// The bounds of a range that is written out: two, or one of a range that is open at an end.
  var bounds: [ExprSyntax] { argument?.rangeBounds ?? [] }
}

extension MemberAccessExprSyntax {
  /// Whether the member is one of the library's rules, and not one that the program has made.
  fileprivate var isOfRules: Bool {
    guard let base else { return true }
    let name =
      base.as(DeclReferenceExprSyntax.self)?.baseName
      ?? base.as(MemberAccessExprSyntax.self)?.declName.baseName
    return name?.text == "AttributeRule"
  }
}

extension ExprSyntax {
  /// The bounds of `a...b`, `a...` or `...b`; none of other expressions. The compiler has folded the
  /// operators of some trees and not of others.
  fileprivate var rangeBounds: [ExprSyntax] {
    if let infix = self.as(InfixOperatorExprSyntax.self),
      infix.operator.trimmedDescription == "..."
    {
      return [infix.leftOperand.trimmed, infix.rightOperand.trimmed]
    }
    if let sequence = self.as(SequenceExprSyntax.self), sequence.elements.count == 3 {
      let parts = Array(sequence.elements)
      return parts[1].trimmedDescription == "..." ? [parts[0].trimmed, parts[2].trimmed] : []
    }
    if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "..." {
      return [prefix.expression.trimmed]
    }
    if let postfix = self.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
      return [postfix.expression.trimmed]
    }
    return []
  }

  /// The number that a literal stands for.
  fileprivate var literalNumber: Double? {
    guard isConstantLiteral, ["Int", "Double"].contains(evidentTypeName) else { return nil }
    return Double(trimmedDescription.filter { $0 != "_" })
  }
}
