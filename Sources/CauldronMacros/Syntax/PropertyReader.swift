import SwiftDiagnostics
import SwiftSyntax

/// Decides what a variable of an entity is, or what is wrong with it.
enum PropertyReader {
  /// Whether a variable gets `@Attribute` from `@Entity`.
  static func needsAttribute(_ variable: VariableDeclSyntax) -> Bool {
    guard variable.marker == nil, case .stored = VariableForm(variable) else { return false }
    return true
  }

  /// Reads a variable; both parts are nil for one that is no property of the entity.
  static func read(_ variable: VariableDeclSyntax) -> (property: Property?, finding: Finding?) {
    switch VariableForm(variable) {
    case .foreign: return (nil, nil)
    case .unusable(let finding): return (nil, finding)
    case .stored(let stored):
      switch stored.marker {
      case .transient: return readTransient(stored)
      case .relationship: return RelationshipReader.read(stored)
      case .attribute, nil: return readAttribute(stored)
      }
    }
  }

  private static func readTransient(_ stored: StoredVariable) -> (Property?, Finding?) {
    let type = OptionalityOf(stored.type)
    guard type.isOptional || stored.initializer != nil else {
      return (nil, needsDefault(stored))
    }
    return (stored.property(.transient, isOptional: type.isOptional), nil)
  }

  private static func readAttribute(_ stored: StoredVariable) -> (Property?, Finding?) {
    let type = OptionalityOf(stored.type)
    if type.isImplicitlyUnwrapped { return (nil, needsType(stored, type: "\(type.wrapped)?")) }
    if let wider = widerIntegers[type.wrapped.lastName ?? ""] {
      return (nil, needsType(stored, type: type.isOptional ? "\(wider)?" : wider))
    }
    if let finding = DerivationReader.finding(for: stored, of: type.wrapped) {
      return (nil, finding)
    }
    if stored.arguments.contains(where: { $0.label?.text == "transformer" }) {
      guard type.isOptional || stored.initializer != nil else { return (nil, needsDefault(stored)) }
      return (stored.property(.transformed, isOptional: type.isOptional), nil)
    }
    switch TypeShape(type.wrapped) {
    case .builtIn:
      if let finding = RuleReader.finding(stored, builtIn: type.wrapped) { return (nil, finding) }
      return (stored.property(.builtIn, isOptional: type.isOptional), nil)
    case .custom where type.isOptional || stored.initializer != nil:
      if let finding = RuleReader.finding(stored, builtIn: nil) { return (nil, finding) }
      return (stored.property(.custom, isOptional: type.isOptional), nil)
    case .custom: return (nil, needsDefault(stored))
    case .toMany: return (nil, needsRelationshipMarker(stored))
    case .unsupported: return (nil, unsupported(stored))
    }
  }

  private static func needsDefault(_ stored: StoredVariable) -> Finding {
    let optional = stored.optionalType
    return Finding(
      stored.identifier,
      .needsDefault(name: stored.name, type: stored.type.trimmedDescription),
      fixIts: [
        FixIt("add a default value", .insert(" = <#default#>", after: stored.type)),
        FixIt("change the type to '\(optional)'", .replace(stored.type, with: optional)),
      ])
  }

  /// Integers that no column type holds, with the smallest one that does. As `Codable` types they
  /// would become JSON, which nobody means and no query could compare.
  private static let widerIntegers = [
    "Int8": "Int16", "UInt8": "Int16", "UInt16": "Int32", "UInt32": "Int64", "UInt": "Int",
    "UInt64": "Int64",
  ]

  private static func needsType(_ stored: StoredVariable, type: String) -> Finding {
    Finding(
      stored.identifier,
      .unsupportedType(name: stored.name, type: stored.type.trimmedDescription),
      fixIts: [FixIt("change the type to '\(type)'", .replace(stored.type, with: type))])
  }

  private static func needsRelationshipMarker(_ stored: StoredVariable) -> Finding {
    let change: FixIt.Change =
      if let attribute = stored.attribute { .replace(attribute, with: "@Relationship") } else {
        .insert("@Relationship ", before: stored.variable)
      }
    return Finding(
      stored.identifier, .needsRelationshipMarker(name: stored.name),
      fixIts: [FixIt("mark it '@Relationship'", change)])
  }

  private static func unsupported(_ stored: StoredVariable) -> Finding {
    let change: FixIt.Change =
      if let attribute = stored.attribute { .replace(attribute, with: "@Transient") } else {
        .insert("@Transient ", before: stored.variable)
      }
    return Finding(
      stored.identifier,
      .unsupportedType(name: stored.name, type: stored.type.trimmedDescription),
      fixIts: [FixIt("mark it '@Transient', which keeps it in memory only", change)])
  }
}

/// Finds what is wrong with `@Attribute(derived:)` as far as the variable alone tells; whether there is
/// such a relationship is found when the model is built.
enum DerivationReader {
  static func finding(for stored: StoredVariable, of type: TypeSyntax) -> Finding? {
    guard let argument = stored.arguments.first(where: { $0.label?.text == "derived" }) else {
      return nil
    }
    if let clause = stored.binding.initializer {
      return Finding(
        stored.identifier, .derivedDefault(name: stored.name),
        fixIts: [FixIt("remove the default value", .removeTail(clause))])
    }
    guard let text = argument.expression.constantString else { return nil }
    guard isComputed(text) else {
      return Finding(
        argument.expression, .derivedExpression(name: stored.name, expression: text))
    }
    guard text.hasSuffix(".@count") else { return nil }
    guard integers.contains(type.lastName ?? "") else {
      return Finding(
        stored.identifier,
        .derivedType(name: stored.name, type: stored.type.trimmedDescription),
        fixIts: [FixIt("change the type to 'Int'", .replace(stored.type, with: "Int"))])
    }
    return nil
  }

  private static let integers = ["Int", "Int16", "Int32", "Int64"]

  /// Whether a text is one of the expressions that a store computes.
  private static func isComputed(_ text: String) -> Bool {
    if text == "now()" { return true }
    func isName(_ part: Substring) -> Bool {
      !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    let forms = ["uppercase:(", "lowercase:(", "canonical:("]
    if text.hasSuffix(")"), let form = forms.first(where: text.hasPrefix) {
      return isName(text.dropFirst(form.count).dropLast())
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return isName(parts[0])
    case 2: return isName(parts[0]) && (parts[1] == "@count" || isName(parts[1]))
    case 3: return isName(parts[0]) && parts[1] == "@sum" && isName(parts[2])
    default: return false
    }
  }

  /// Expressions that begin with an attribute of the class, or count what is no to-many relationship of it.
  /// - Parameter isWhole: Whether the class inherits no properties, so that these are all.
  static func findings(_ properties: [Property], isWhole: Bool) -> [Finding] {
    properties.compactMap { property in
      guard let argument = property.argument("derived"), let text = argument.constantString,
        let dot = text.firstIndex(of: ".")
      else { return nil }
      let first = properties.first { $0.name == text[..<dot] }
      let isMany = text[dot...].hasPrefix(".@")
      switch first?.role {
      case nil where !isWhole: return nil
      case .toOne? where !isMany, .toMany? where isMany: return nil
      default: return Finding(argument, .derivedExpression(name: property.name, expression: text))
      }
    }
  }
}
