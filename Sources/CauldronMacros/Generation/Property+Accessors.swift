import SwiftSyntax
import SwiftSyntaxBuilder

extension Property {
  /// The getter and the setter.
  var accessors: [AccessorDeclSyntax] {
    let index = "_Properties.\(identifier)"
    let suffix: String
    var access = ""
    var getterArguments = index
    switch role {
    case .builtIn:
      suffix = ""
      access = ", _Access.self"
    case .custom:
      suffix = "Custom"
      getterArguments += ", default: \(getterDefault)"
    case .transformed:
      suffix = "Transformed"
      getterArguments += ", default: \(getterDefault)"
    case .transient:
      suffix = "Transient"
      getterArguments += ", default: \(transientDefault)"
    case .toOne: suffix = "ToOne"
    case .toMany(_, let isOrdered): suffix = isOrdered ? "OrderedToMany" : "ToMany"
    }
    let getter: AccessorDeclSyntax =
      "get { _get\(raw: suffix)(\(raw: getterArguments)\(raw: access)) }"
    if argument("derived") != nil { return [getter] }
    return [
      getter, "set { _set\(raw: suffix)(\(raw: index), newValue\(raw: access)) }",
    ]
  }

  /// What a getter shows for a value that is missing: an optional one is nil, whatever new objects
  /// start with.
  private var getterDefault: String {
    isOptional ? "nil" : initializer?.description ?? "nil"
  }

  /// The first value of a transient property; spelt with its type where `T` and `T?` both fit.
  private var transientDefault: String {
    guard let initializer, !initializer.isNil else { return "nil" }
    return isOptional ? "(\(initializer) as \(type))" : "\(initializer)"
  }

  /// The same for whoever does not know the type; nil for a property that is not transient, or begins
  /// with nil.
  var firstTransientValue: String? {
    guard case .transient = role, let initializer, !initializer.isNil else { return nil }
    return "(\(initializer) as \(type))"
  }
}

extension Property {
  /// The expression that describes the property, for an array of property descriptions.
  var descriptionExpression: String {
    switch role {
    case .builtIn: call("_attribute", with: ["\(type).self", builtInDefault] + extraArguments)
    case .custom:
      call(
        "_customAttribute", with: ["_CustomType(\(customType))", customDefault] + extraArguments)
    case .transformed:
      call(
        "_transformedAttribute",
        with: [
          "\(type).self", labelled("transformer"),
          labelled("isOptional") ?? "isOptional: \(isOptional)",
        ]
          + [transformedDefault, labelled("versionHashModifier")])
    case .transient: call("_transientAttribute", with: [])
    case .toOne(let destination): relationship(to: destination, isToMany: false, isOrdered: false)
    case .toMany(let destination, let isOrdered):
      relationship(to: destination, isToMany: true, isOrdered: isOrdered)
    }
  }

  private func call(_ function: String, with arguments: [String?]) -> String {
    let all = [nameLiteral] + arguments.compactMap { $0 }
    let original =
      originalNames.isEmpty ? "" : "._original(\(originalNames.joined(separator: ", ")))"
    let importing = importing.call(isRelationship: isRelationship)
    let modelling = modelling.call(isRelationship: isRelationship)
    return ".\(function)(\(all.joined(separator: ", ")))\(original)\(importing)\(modelling)"
  }

  private var customType: String {
    let wrapped = OptionalityOf(type).wrapped
    return isOptional ? "optional: \(wrapped).self" : "\(wrapped).self"
  }

  /// A literal is the same for every object; anything else is made anew for each.
  private var builtInDefault: String? {
    guard let initializer, !initializer.isNil else { return nil }
    let scalar = "(\(initializer) as \(type)).scalar"
    return initializer.isConstantLiteral
      ? "default: .constant(\(scalar))" : "default: .computed { \(scalar) }"
  }

  private var customDefault: String? {
    guard let initializer, !initializer.isNil else { return nil }
    return "default: \(initializer)"
  }

  /// The arguments of `@Attribute`, which the description takes as they are; the rules as one.
  private var extraArguments: [String?] {
    let arguments = arguments.filter { $0.lookup == nil }
    let texts = arguments.map { $0.with(\.trailingComma, nil).trimmedDescription }
    let rules = zip(arguments, texts).filter { $0.0.label == nil }.map(\.1)
    let others = zip(arguments, texts).filter { $0.0.label != nil }.map(\.1)
    return [rules.isEmpty ? nil : "rules: [\(rules.joined(separator: ", "))]"] + others
  }

  private func relationship(
    to destination: TypeSyntax, isToMany: Bool, isOrdered: Bool
  ) -> String {
    call(
      "_relationship",
      with: [
        "destination: \(destination).self", inverseName.map { "inverse: \"\($0)\"" },
        "isToMany: \(isToMany)", presence, isOrdered ? "isOrdered: true" : nil,
        "deleteRule: \(deleteRule)", labelled("minCount"), labelled("maxCount"),
        labelled("isOneWay"),
      ])
  }

  /// Whether there must be a destination, if that is said.
  private var presence: String? {
    arguments.first { $0.label == nil }.map { "presence: \($0.expression.trimmedDescription)" }
  }

  private var deleteRule: String { argument("deleteRule")?.trimmedDescription ?? ".nullify" }

  private var transformedDefault: String? {
    guard let initializer, !initializer.isNil else { return nil }
    return "default: { \(initializer) }"
  }

  private func labelled(_ label: String) -> String? {
    argument(label).map { "\(label): \($0.trimmedDescription)" }
  }
}
