import CauldronModelXML

/// An attribute of a model as a property of its class.
struct AttributeClause {
  private let element: ModelElement
  private let kind: Kind

  /// How the attribute's type is written.
  private enum Kind {
    /// A type that a column holds.
    case plain(PlainType)
    /// A value in a keyed archive.
    case archived(String)
    /// Bytes that only a transformer of the application understands.
    case opaque
    /// In memory alone, of any type.
    case undefined
  }

  /// - Returns: Nil for what no class can say.
  init?(_ element: ModelElement) {
    self.element = element
    let type = element.given("attributeType")
    switch type {
    case _ where element.given("composite") != nil: return nil
    case _ where element.isSet("derived") && !DerivationText(element).isComputed: return nil
    case nil, "Undefined":
      guard element.isSet("transient") else { return nil }
      kind = .undefined
    case "Transformable":
      let isArchive = TransformerName(element.xml["valueTransformerName"]).isArchive
      if isArchive, let swift = ArchivedType(element.given("customClassName")).swiftName {
        kind = .archived(swift)
      } else {
        kind = .opaque
      }
    case let name?:
      guard let plain = PlainType(rawValue: name) else { return nil }
      kind = .plain(plain)
    }
  }

  private var isOptional: Bool { element.isSet("optional") }
  private var isTransient: Bool { element.isSet("transient") }

  /// Whether the property cannot be nil although the store may have no value: Xcode's scalars.
  private var isScalar: Bool {
    guard case .plain(let type) = kind, isOptional else { return false }
    return type.isNumber && element.isSet("usesScalarValueType")
  }

  private var type: String {
    switch kind {
    case .plain(let type): type.swiftName
    case .archived(let name): name
    case .opaque: "Data"
    case .undefined: "Any"
    }
  }

  private var derivation: String? {
    element.isSet("derived")
      ? element.given("derivationExpression")?.filter { !$0.isWhitespace } : nil
  }

  /// The lines of the property.
  /// - Parameter lookup: `.unique` or `.indexed`, where the attribute is that by itself.
  func text(lookup: String?, access: String) throws(XMLFailure) -> String {
    if isTransient { return try transient(access) }
    if let derivation { return derived(from: derivation, access: access) }
    let value = try defaultValue.map { " = \($0)" } ?? ""
    var arguments = MacroArguments()
    if let lookup { arguments.add(lookup) }
    if let rule = try rule { arguments.add(rule) }
    var isOptional = isOptional
    switch kind {
    case .archived:
      arguments.add("transformer", of: SwiftText.literal("NSSecureUnarchiveFromData"))
      // A required value without a default is nil until it is set.
      arguments.add("isOptional", of: isOptional ? nil : "false")
      isOptional = true
    case .opaque: arguments.add("type", of: ".transformable")
    case .plain, .undefined: break
    }
    if isScalar {
      arguments.add("isOptional", of: "true")
      isOptional = false
    }
    arguments.add(
      "allowsExternalBinaryDataStorage", if: element.isSet("allowsExternalBinaryDataStorage"))
    addCommon(to: &arguments)
    let attribute =
      arguments.isEmpty ? "" : arguments.call("Attribute")
    let optional = isOptional ? "?" : ""
    return comment
      + SwiftText.declaration(
        attribute,
        before: "\(access)var \(SwiftText.name(element.name)): \(type)\(optional)\(value)")
  }

  /// Adds the arguments that all attributes have.
  private func addCommon(to arguments: inout MacroArguments) {
    arguments.add("versionHashModifier", of: element.versionHashModifier)
    arguments.add("originalName", of: element.originalName)
    arguments.add("preservesValueInHistoryOnDeletion", if: element.isSet("preserveAfterDeletion"))
    arguments.add(notes: element.notes)
  }

  private func transient(_ access: String) throws(XMLFailure) -> String {
    let value = try defaultValue.map { " = \($0)" } ?? ""
    let isNumber = if case .plain(let type) = kind { type.isNumber } else { false }
    let optional = isNumber && element.isSet("usesScalarValueType") && !value.isEmpty ? "" : "?"
    return SwiftText.declaration(
      "@Transient",
      before: "\(access)var \(SwiftText.name(element.name)): \(type)\(optional)\(value)")
  }

  private func derived(from expression: String, access: String) -> String {
    var arguments = MacroArguments()
    arguments.add("derived", of: SwiftText.literal(expression))
    addCommon(to: &arguments)
    let isNumber = if case .plain(let type) = kind { type.isNumber } else { false }
    let isCount = isNumber && expression.contains("@count") || expression.contains("@sum")
    return SwiftText.declaration(
      arguments.call("Attribute"),
      before: "\(access)var \(SwiftText.name(element.name)): \(type)\(isCount ? "" : "?")")
  }

  /// What a reader of the class is to know and Swift does not say.
  private var comment: String {
    var lines: [String] = []
    if case .opaque = kind {
      let type = element.given("customClassName").map { "a \(SwiftText.plain($0))" } ?? "a value"
      let transformer =
        element.given("valueTransformerName").map { " by \(SwiftText.plain($0))" } ?? ""
      lines.append("The bytes of \(type)\(transformer).")
    }
    if let pattern = element.given("regularExpressionString") {
      lines.append("Core Data asks for a match of \(SwiftText.literal(pattern)).")
    }
    return lines.map { "  // \($0)\n" }.joined()
  }
}

extension AttributeClause {
  /// The default value as source.
  /// - Throws: Where the text is no value of the type.
  private var defaultValue: String? {
    get throws(XMLFailure) {
      guard case .plain(let type) = kind else { return nil }
      if type == .date {
        guard let text = element.given("defaultDateTimeInterval") else { return nil }
        guard let seconds = Double(text), seconds.isFinite else { throw mismatch(text) }
        return
          "Date(timeIntervalSinceReferenceDate: \(SwiftText.literal(seconds)))"
      }
      guard let text = element.xml["defaultValueString"] else { return nil }
      if type == .string { return SwiftText.literal(text) }
      if text.isEmpty || type == .binary { return nil }
      guard let value = type.literal(of: text) else { throw mismatch(text) }
      return value
    }
  }

  private func mismatch(_ text: String) -> XMLFailure {
    element.failure(
      "the default \"\(text)\" of \(element.name) is no \(element.given("attributeType") ?? "value")"
    )
  }

  /// What a save asks of the value: the length of a text, the range of a number.
  private var rule: String? {
    get throws(XMLFailure) {
      guard case .plain(let type) = kind, type == .string || (type.isNumber && type != .boolean)
      else { return nil }
      let least = try bound("minValueString")
      let most = try bound("maxValueString")
      if let least, let most, most < least {
        throw element.failure("the bounds of \(element.name) leave no value")
      }
      let isWhole = ![.double, .float].contains(type)
      let bounds = [least, most].compactMap { $0 }
      if bounds.isEmpty { return nil }
      if isWhole, bounds.contains(where: { $0.rounded() != $0 }) {
        // Of a decimal number only whole bounds can be said.
        if type == .decimal { return nil }
        throw element.failure("the bounds of \(element.name) are no whole numbers")
      }
      let texts = try ["minValueString", "maxValueString"].map { key throws(XMLFailure) in
        try boundText(key, isWhole: isWhole)
      }
      let range = "\(texts[0])...\(texts[1])"
      return type == .string ? ".length(\(range))" : ".range(\(range))"
    }
  }

  /// A bound as source, with all its digits; empty where there is none.
  private func boundText(_ key: String, isWhole: Bool) throws(XMLFailure) -> String {
    guard let text = element.given(key), let number = SwiftText.number(text) else { return "" }
    guard isWhole else { return SwiftText.literal(number) }
    guard let whole = Int(text) ?? Int(exactly: number) else {
      throw element.failure("\(key) \"\(text)\" of \(element.name) is no bound")
    }
    return "\(whole)"
  }

  private func bound(_ key: String) throws(XMLFailure) -> Double? {
    guard let text = element.given(key) else { return nil }
    guard let number = SwiftText.number(text) else {
      throw element.failure("\(key) \"\(text)\" of \(element.name) is no bound")
    }
    return number
  }
}

/// What a derived attribute is computed from.
private struct DerivationText {
  private let text: Substring

  init(_ element: ModelElement) {
    text = Substring((element.given("derivationExpression") ?? "").filter { !$0.isWhitespace })
  }

  /// Whether stores of this library compute it; the macro takes no other one.
  var isComputed: Bool {
    if text == "now()" { return true }
    for form in ["uppercase:(", "lowercase:(", "canonical:("] where text.hasPrefix(form) {
      return text.hasSuffix(")") && SwiftText.isName(String(text.dropFirst(form.count).dropLast()))
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 1: return SwiftText.isName(parts[0])
    case 2:
      return SwiftText.isName(parts[0]) && (parts[1] == "@count" || SwiftText.isName(parts[1]))
    case 3: return SwiftText.isName(parts[0]) && parts[1] == "@sum" && SwiftText.isName(parts[2])
    default: return false
    }
  }
}
