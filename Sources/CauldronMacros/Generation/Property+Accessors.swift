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
}
