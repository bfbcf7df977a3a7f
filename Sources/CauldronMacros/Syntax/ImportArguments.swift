import SwiftSyntax

/// What `@Attribute` and `@Relationship` say of imports.
struct ImportArguments {
  /// The labels of the arguments, which the description of the property takes by itself.
  static let labels = [
    "from", "match", "members", "unknown", "absent", "null", "dateFormat", "subentity", "transform",
    "imported",
  ]

  /// The arguments of the call that describes them, but the names.
  private var arguments: [String] = []
  private let from: [String]

  init(_ all: [LabeledExprSyntax]) {
    from = all.values("from")
    func add(_ label: String, _ value: String?) {
      if let value { arguments.append("\(label): \(value)") }
    }
    func value(_ label: String) -> String? { all.values(label).first }
    add("match", all.first { $0.label?.text == "match" }.flatMap { Self.name($0.expression) })
    add("members", value("members"))
    add("unknown", value("unknown"))
    add("absent", value("absent"))
    add("null", value("null"))
    add("subentity", value("subentity"))
    let formats = all.values("dateFormat")
    if !formats.isEmpty { add("dateFormats", "[\(formats.joined(separator: ", "))]") }
    add("transform", value("transform"))
    add("imported", value("imported"))
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
