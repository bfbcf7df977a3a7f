import SwiftSyntax

/// A function of a class that imports one property, or says whether that is to be done: `importName(_:)` and
/// `shouldImportName(_:)`.
struct ImportFunction {
  let node: FunctionDeclSyntax
  let name: String
  /// The property that it is for.
  let property: String
  /// Whether it says whether the property is to be imported.
  let asks: Bool
  /// The type of its parameter, as written.
  let type: String
  let returnsBool: Bool
  let canThrow: Bool

  /// - Parameter node: A function; nil for one that has nothing to do with imports, or not the form.
  init?(_ node: FunctionDeclSyntax) {
    guard let (property, asks) = Self.subject(node), Self.hasForm(node),
      let parameter = node.signature.parameterClause.parameters.first
    else { return nil }
    self.node = node
    name = node.name.text
    self.property = property
    self.asks = asks
    type = parameter.type.trimmedDescription
    returnsBool = node.signature.returnClause?.type.lastName == "Bool"
    canThrow = node.signature.effectSpecifiers?.throwsClause != nil
  }

  /// Whether it takes what was written, and no value of the property's type.
  var takesSource: Bool { ["ImportSource", "CauldronModel.ImportSource"].contains(type) }

  /// The functions of a class.
  static func all(in members: MemberBlockItemListSyntax) -> [ImportFunction] {
    members.compactMap { $0.decl.as(FunctionDeclSyntax.self).flatMap(ImportFunction.init) }
  }

  /// The property that a function's name speaks of.
  private static func subject(_ node: FunctionDeclSyntax) -> (property: String, asks: Bool)? {
    let isOther = node.modifiers.contains {
      [.keyword(.override), .keyword(.static), .keyword(.class)].contains($0.name.tokenKind)
    }
    let name = node.name.text
    guard !isOther, let prefix = ["import", "shouldImport"].first(where: name.hasPrefix) else {
      return nil
    }
    let rest = name.dropFirst(prefix.count)
    guard let first = rest.first, first.isUppercase else { return nil }
    return (first.lowercased() + rest.dropFirst(), prefix == "shouldImport")
  }

  private static func hasForm(_ node: FunctionDeclSyntax) -> Bool {
    let parameters = node.signature.parameterClause.parameters
    let returned = node.signature.returnClause?.type.trimmedDescription ?? "Void"
    return parameters.count == 1 && parameters.first?.firstName.text == "_"
      && node.signature.effectSpecifiers?.asyncSpecifier == nil
      && node.genericParameterClause == nil && ["Void", "()", "Bool"].contains(returned)
  }
}

extension ImportFunction {
  /// What is wrong with functions that look as if they imported a property.
  static func findings(
    among members: MemberBlockItemListSyntax, for properties: [Property], hasSuperclass: Bool
  ) -> [Finding] {
    members.compactMap { member in
      guard let node = member.decl.as(FunctionDeclSyntax.self),
        let (name, _) = subject(node)
      else { return nil }
      if let known = properties.first(where: { $0.name == name }) {
        let isFine = hasForm(node) && (takesSource(node) || !known.isRelationship)
        if isFine { return nil }
        return Finding(
          node.name,
          known.isRelationship
            ? .importRelationship(function: node.name.text, name: name)
            : .importForm(function: node.name.text))
      }
      // An inherited property is not seen from here; whether there is one is found with the plan.
      guard !hasSuperclass, hasForm(node), takesSource(node) else { return nil }
      return Finding(node.name, .importsNothing(function: node.name.text, name: name))
    }
  }

  private static func takesSource(_ node: FunctionDeclSyntax) -> Bool {
    node.signature.parameterClause.parameters.first?.type.lastName == "ImportSource"
  }
}

/// What `@Attribute` and `@Relationship` say of imports.
struct ImportArguments {
  /// The labels of the arguments, which the description of the property takes by itself.
  static let labels = [
    "from", "match", "members", "unknown", "absent", "null", "empty", "dateFormat", "subentity",
    "transform", "imported",
  ]

  /// The arguments of the call that describes them, but the names.
  private var arguments: [String] = []
  private let from: [String]

  init(_ all: [LabeledExprSyntax]) {
    from = all.values("from")
    func add(_ label: String, value: String?) {
      if let value { arguments.append("\(label): \(value)") }
    }
    func value(_ label: String) -> String? { all.values(label).first }
    add(
      "match", value: all.first { $0.label?.text == "match" }.flatMap { Self.name($0.expression) })
    add("members", value: value("members"))
    add("unknown", value: value("unknown"))
    add("absent", value: value("absent"))
    add("null", value: value("null"))
    add("empty", value: value("empty"))
    add("subentity", value: value("subentity"))
    let formats = all.values("dateFormat")
    if !formats.isEmpty { add("dateFormats", value: "[\(formats.joined(separator: ", "))]") }
    add("transform", value: value("transform"))
    add("imported", value: value("imported"))
  }

  /// The call that adds this to a description; empty where there is nothing.
  func call(isRelationship: Bool) -> String {
    if from.isEmpty, arguments.isEmpty { return "" }
    let names = from.isEmpty ? [] : ["from: [\(from.joined(separator: ", "))]"]
    let list = (names + arguments).joined(separator: ", ")
    return isRelationship ? "._linking(\(list))" : "._importing(\(list))"
  }

  /// The name of a property: the last component of a key path, or a string.
  private static func name(_ expression: ExprSyntax) -> String? {
    if expression.isNil { return nil }
    if let path = expression.as(KeyPathExprSyntax.self),
      case .property(let property)? = path.components.last?.component
    {
      return "\"\(property.declName.baseName.text.filter { $0 != "`" })\""
    }
    return expression.trimmedDescription
  }
}
