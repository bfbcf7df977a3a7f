import CauldronModel
import CauldronModelClasses

/// Looks at attributes: whether their defaults keep their bounds, and whether required ones have any.
struct AttributeChecks {
  private let table: EntityTable

  init(_ table: EntityTable) { self.table = table }

  var findings: [ModelFinding] {
    table.entities.flatMap { entity in
      EntityParts(entity).attributes.flatMap { findings(of: $0, in: entity.name) }
        + constraints(of: entity)
    } + table.entities.compactMap(unused)
  }

  private func findings(of attribute: AttributeDescription, in entity: String) -> [ModelFinding] {
    let place = ModelFinding.Place(entity, attribute.name)
    let name = "\(entity).\(attribute.name)"
    guard case .constant(let value) = attribute.defaultValue, !value.isNull else {
      let isFree = attribute.isOptional || attribute.isTransient || attribute.derivation != nil
      if isFree || attribute.type == .composite { return [] }
      let finding = ModelFinding(
        .noDefault, at: place, message: "\(name) is required and has no default.",
        remedy: "Set it in each new object, or give it a default.")
      return [finding.asNote]
    }
    let isKept = attribute.rules.allSatisfy { Self.keeps(value, within: $0) }
    let bounds = BoundsText(attribute.rules).text ?? ""
    return isKept
      ? []
      : [
        ModelFinding(
          .bounds, at: place,
          message: "The default \(DefaultText(attribute).text ?? "") of \(name) is outside of its"
            + " bounds (\(bounds)): a new object cannot be saved as it is.",
          remedy: "Change the default or the bounds.")
      ]
  }

  private static func keeps(_ value: AttributeScalar, within rule: AttributeRule) -> Bool {
    switch rule.kind {
    case .length(let least, let most):
      guard case .text(let text) = value else { return true }
      return (least...max(least, most)).contains(text.utf16.count)
    case .range(let least, let most, _):
      guard let number = number(value) else { return true }
      return Self.number(least).map { $0 <= number } ?? true
        && Self.number(most).map { number <= $0 } ?? true
    case .pattern, .check: return true
    }
  }

  private static func number(_ value: AttributeScalar) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let text): Double(text)
    case .null, .blob: nil
    }
  }

  private func constraints(of entity: EntityDescription) -> [ModelFinding] {
    entity.uniquenessConstraints.compactMap { names in
      let optional = names.filter { name in
        switch table.property(name, of: entity.name) {
        case .attribute(let attribute)?: attribute.isOptional
        case .relationship(let relationship)?: relationship.isOptional
        case nil: false
        }
      }
      guard let first = optional.first else { return nil }
      let list = optional.map { "\(entity.name).\($0)" }.joined(separator: " and ")
      let verb = optional.count == 1 ? "is" : "are"
      return ModelFinding(
        .optionalUnique, at: .init(entity.name, first),
        message:
          "\(list) \(verb) unique and optional: nil is equal to nothing, so that any number of"
          + " objects may have none.",
        remedy: "Make \(optional.count == 1 ? "it" : "them") required, unless that is meant."
      ).asNote
    }
  }

  private func unused(_ entity: EntityDescription) -> ModelFinding? {
    guard entity.isAbstract, table.children(of: entity.name).isEmpty else { return nil }
    return ModelFinding(
      .unusedEntity, at: .init(entity.name),
      message: "\(entity.name) is abstract and has no subentity: it has no objects.",
      remedy: "Make it concrete, or remove it.")
  }
}

/// Looks at names: whether they are taken already, by each other, by Swift or by every managed object.
struct NameChecks {
  private let table: EntityTable

  init(_ table: EntityTable) { self.table = table }

  var findings: [ModelFinding] {
    doubled(table.entities.map(\.name)).map { name, other in
      ModelFinding(
        .nameTwice, at: .init(name),
        message:
          "The entities \(other) and \(name) differ in capitals alone: they would have one table.",
        remedy: "Give one of them another name.")
    } + table.entities.flatMap { entity in spelling(of: entity) + properties(of: entity) }
  }

  private func properties(of entity: EntityDescription) -> [ModelFinding] {
    let names = entity.properties.map(\.name) + entity.fetchedProperties.map(\.name)
    let inherited = table.family(of: entity.name).dropFirst().flatMap(\.properties).map(\.name)
    let doubles = doubled(inherited + names).filter { names.contains($0.0) }.map { name, other in
      ModelFinding(
        .nameTwice, at: .init(entity.name, name),
        message: "\(entity.name).\(name) and \(entity.name).\(other) differ in capitals alone.",
        remedy: "Give one of them another name.")
    }
    return doubles + names.compactMap { taken($0, in: entity.name) }
  }

  /// Each name with an earlier one that differs from it in capitals alone.
  private func doubled(_ names: [String]) -> [(String, String)] {
    var first: [String: String] = [:]
    return names.compactMap { name in
      guard let other = first[name.lowercased()] else {
        first[name.lowercased()] = name
        return nil
      }
      return other == name ? nil : (name, other)
    }
  }

  private func taken(_ name: String, in entity: String) -> ModelFinding? {
    let place = ModelFinding.Place(entity, name)
    if Self.members.contains(name) || PropertyNames.reserved.contains(name) {
      return ModelFinding(
        .member, at: place,
        message: "\(entity).\(name) has the name of a member of every managed object.",
        remedy: "Give it another name, and this one as its renaming identifier.")
    }
    if Self.keywords.contains(name) {
      return ModelFinding(
        .keyword, at: place, message: "\(entity).\(name) is a keyword of Swift.",
        remedy: "Write it as `\(name)` in classes, or give it another name.")
    }
    return isIdentifier(name)
      ? nil
      : ModelFinding(
        .notSwift, at: place,
        message: "\(entity).\(name) is no name that Swift takes for a property.",
        remedy: "Use letters, digits and underscores.")
  }

  private func spelling(of entity: EntityDescription) -> [ModelFinding] {
    if Self.keywords.contains(entity.name) || Self.typeKeywords.contains(entity.name) {
      return [
        ModelFinding(
          .keyword, at: .init(entity.name),
          message: "The entity \(entity.name) is a keyword of Swift.",
          remedy: "Give its class another name, or the entity.")
      ]
    }
    return isIdentifier(entity.name)
      ? []
      : [
        ModelFinding(
          .notSwift, at: .init(entity.name),
          message: "The entity \"\(entity.name)\" has no name that Swift takes for a class.",
          remedy: "Use letters, digits and underscores.")
      ]
  }

  private func isIdentifier(_ name: String) -> Bool {
    guard let first = name.first, first.isLetter || first == "_" else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// What `NSManagedObject`, `NSObject` and `ManagedObject` have, and what `@Entity` refuses.
  private static let members: Set<String> = [
    "autorelease", "changedValues", "class", "committedValues", "conflicts", "copy", "customMirror",
    "debugDescription", "dealloc", "delete", "description", "entity", "faultingState",
    "hasChanges", "hasFault", "hasPersistentChangedValues", "hash", "hashValue", "isDeleted",
    "isFault", "isInserted", "isProxy", "isUpdated", "load", "managedObjectContext",
    "mutableCopy", "objectID", "objectWillChange", "observationInfo", "release", "retain",
    "retainCount", "self", "superclass", "zone",
  ]

  /// The words that Swift takes for no name (The Swift Programming Language, Lexical Structure).
  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  private static let typeKeywords: Set<String> = ["Any", "Protocol", "Self", "Type"]
}
