extension JSONValue {
  /// The value as JSON.
  /// - Parameter isCanonical: Whether names are sorted and numbers written in one way, so that equal values
  ///   have equal texts.
  package func json(isCanonical: Bool = false) -> String {
    var text = ""
    write(to: &text, isCanonical)
    return text
  }

  private func write(to text: inout String, _ isCanonical: Bool) {
    switch kind {
    case .null: text += "null"
    case .true: text += "true"
    case .false: text += "false"
    case .number: text += isCanonical ? canonicalNumber : self.text ?? "0"
    case .string: text += JSONText.quoted(self.text ?? "")
    case .native: text += JSONText.quoted(native.map { "\($0)" } ?? "")
    case .array:
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text, isCanonical)
      }
      text += "]"
    case .object:
      text += "{"
      let members = isCanonical ? members.sorted { $0.name < $1.name } : members
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        text += JSONText.quoted(member.name) + ":"
        member.value.write(to: &text, isCanonical)
      }
      text += "}"
    }
  }

  private var canonicalNumber: String {
    guard let text, let (digits, exponent, isNegative) = JSONNumber.parts(text) else {
      return text ?? "0"
    }
    if digits.isEmpty { return "0" }
    let number = String(decoding: digits, as: UTF8.self)
    return (isNegative ? "-" : "") + number + (exponent == 0 ? "" : "e\(exponent)")
  }
}

/// Texts in JSON.
package enum JSONText {
  /// A text in quotes, with what needs it escaped.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
