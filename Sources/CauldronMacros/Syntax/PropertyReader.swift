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
    if let text = argument.expression.constantString, !isCount(text) {
      return Finding(
        argument.expression, .derivedExpression(name: stored.name, expression: text))
    }
    guard integers.contains(type.lastName ?? "") else {
      return Finding(
        stored.identifier,
        .derivedType(name: stored.name, type: stored.type.trimmedDescription),
        fixIts: [FixIt("change the type to 'Int'", .replace(stored.type, with: "Int"))])
    }
    return nil
  }

  private static let integers = ["Int", "Int16", "Int32", "Int64"]

  /// Whether a text is the name of a relationship and `.@count`.
  private static func isCount(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1] == "@count" && !parts[0].isEmpty
      && !parts[0].contains("@")
  }
}
