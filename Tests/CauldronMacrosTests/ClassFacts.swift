import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import Testing

@testable import CauldronMacros

/// What a class or an entity is, as far as a model's XML can say it.
struct ClassFacts: Equatable {
  var entity: String
  var superclass: String?
  var isAbstract = false
  var properties: [PropertyFacts] = []
  var unique: Set<[String]> = []
  var indexes: Set<[String]> = []
  var originalName: String?
  var modifier: String?

  /// The classes of a source as the macros read them.
  static func all(in source: String) throws -> [ClassFacts] {
    let file = Parser.parse(source: source)
    #expect(!file.hasError)
    return try file.statements.compactMap { $0.item.as(ClassDeclSyntax.self) }.map {
      try ClassFacts($0)
    }
  }

  init(entity: String) { self.entity = entity }

  private init(_ declaration: ClassDeclSyntax) throws {
    let attributes = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
    let attribute = try #require(attributes.first { $0.attributeName.lastName == "Entity" })
    let (read, findings) = EntityReader(attribute: attribute, lexicalContext: []).read(declaration)
    #expect(findings.map { "\($0.diagnostic.message)" } == [])
    let found = try #require(read)
    entity = found.nameLiteral.filter { $0 != "\"" }
    superclass = found.superclass
    isAbstract = found.isAbstract == "true"
    originalName = found.originalNames.first.map { $0.filter { $0 != "\"" } }
    modifier = found.modelling.first { $0.hasPrefix("versionHashModifier") }
      .map { $0.split(separator: "\"").map(String.init)[1] }
    properties = found.properties.map { PropertyFacts($0) }
    unique = Set(found.lists.filter { $0.kind == .unique }.map(\.names))
    indexes = Set(found.lists.filter { $0.kind == .index }.map(\.names))
  }
}

/// What a property is.
struct PropertyFacts: Equatable {
  var name: String
  /// The type without a question mark.
  var type: String
  var isOptional: Bool
  /// The default value as source.
  var value: String?
  /// The arguments but those of optionality, inverses and lists, by their labels.
  var arguments: [String: String] = [:]
  var originalName: String?
  /// The relationship that leads back, where this side names it.
  var inverse: String?

  init(name: String, type: String, isOptional: Bool) {
    (self.name, self.type, self.isOptional) = (name, type, isOptional)
  }

  init(_ property: Property) {
    let text = property.type.trimmedDescription
    name = property.name
    type = text.hasSuffix("?") ? String(text.dropLast()) : text
    let isAsked = property.arguments.first { $0.label == nil }?.expression.trimmedDescription
    switch property.role {
    case .toOne: isOptional = isAsked != ".required"
    case .toMany: isOptional = property.argument("isOptional")?.trimmedDescription != "false"
    default:
      isOptional =
        property.argument("isOptional").map { $0.trimmedDescription == "true" }
        ?? property.isOptional
    }
    value = property.initializer?.trimmedDescription
    originalName = property.originalNames.first.map { $0.filter { $0 != "\"" } }
    inverse = property.inverseName
    for argument in property.arguments where argument.lookup == nil {
      let label = argument.label?.text ?? "rule"
      if ["isOptional", "inverse"].contains(label) { continue }
      let text = argument.expression.trimmedDescription
      if text != ".required" { arguments[label] = text }
    }
    let notes = property.modelling.call(isRelationship: false)
    if notes.contains("preservesValueInHistoryOnDeletion: true") { arguments["preserves"] = "true" }
    if notes.contains("userInfo: [\"note\": \"x\"]") { arguments["notes"] = "x" }
  }
}
