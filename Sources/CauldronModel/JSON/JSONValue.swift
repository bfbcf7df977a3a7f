import Foundation

/// A value in a tape, which stays as long as it.
package struct JSONValue: Sendable {
  let tape: JSONTape
  let index: Int

  /// Whether it belongs to a record that is no element of an array.
  package var isAlone: Bool { tape.isAlone }

  /// The name under which the record stands to which it belongs, where records have names.
  package var recordName: String? { tape.name }

  /// Whether it is a text that is empty, or white space alone.
  package var isBlank: Bool {
    kind == .string && JSONText.isBlank(utf8)
  }

  package var kind: JSONTape.Kind { tape.nodes[index].kind }

  /// How many elements an array has, or how many names an object; of others 0.
  package var count: Int {
    kind == .array || kind == .object ? Int(tape.nodes[index].count) : 0
  }

  /// The text of a string, or the digits of a number as they were written; nil for others.
  package var text: String? {
    guard kind == .string || kind == .number else { return nil }
    return String(decoding: tape.text(index), as: UTF8.self)
  }

  /// The bytes of what ``text`` is.
  package var utf8: ArraySlice<UInt8> { tape.text(index) }

  /// What a value is that no attribute can be; nil for others.
  package var unusable: String? {
    kind == .unusable ? String(decoding: tape.text(index), as: UTF8.self) : nil
  }

  /// What a part of the value is, or the name of one, that no attribute can be; nil where all can.
  package var unusablePart: String? {
    guard tape.hasUnusable else { return nil }
    let range = index..<Int(tape.nodes[index].end)
    return range.first { tape.nodes[$0].kind == .unusable }.map {
      String(decoding: tape.text($0), as: UTF8.self)
    }
  }

  /// A value of Swift's that was no JSON; nil for others.
  package var native: (any AttributeValue)? {
    kind == .native ? tape.natives[Int(tape.nodes[index].start)] : nil
  }

  /// The elements of an array; none for others.
  package var elements: [JSONValue] {
    guard kind == .array else { return [] }
    var all: [JSONValue] = []
    all.reserveCapacity(count)
    var next = index + 1
    while next < tape.nodes[index].end {
      all.append(JSONValue(tape: tape, index: next))
      next = Int(tape.nodes[next].end)
    }
    return all
  }

  /// What an object has under its names, in the order of the file; nothing for others. Of a name that stands
  /// twice the last counts.
  package var members: [(name: String, value: JSONValue)] {
    guard kind == .object else { return [] }
    var all: [(name: String, value: JSONValue)] = []
    var next = index + 1
    while next < tape.nodes[index].end {
      let name = String(decoding: tape.text(next), as: UTF8.self)
      all.append((name, JSONValue(tape: tape, index: next + 1)))
      next = Int(tape.nodes[next + 1].end)
    }
    guard tape.repeated[index] != nil else { return all }
    var seen: Set<String> = []
    return all.reversed().filter { seen.insert($0.name).inserted }.reversed()
  }

  /// Whether a name stands twice in an object.
  package func isRepeated(_ name: [UInt8]) -> Bool {
    tape.repeated[index]?.contains(name) ?? false
  }

  /// A name that stands twice in an object of the value; nil where there is none.
  package var repeatedName: String? {
    if tape.repeated.isEmpty { return nil }
    let range = index..<Int(tape.nodes[index].end)
    let first = tape.repeated.filter { range.contains($0.key) }.min { $0.key < $1.key }
    return first?.value.first.map { String(decoding: $0, as: UTF8.self) }
  }

  /// What an object has under a name; nil where it has none, or is none. Of a name that stands twice the last
  /// counts.
  /// - Parameter name: The bytes of the name.
  /// - Complexity: O(names).
  package func member(_ name: [UInt8]) -> JSONValue? {
    guard kind == .object else { return nil }
    let end = Int(tape.nodes[index].end)
    let isRepeated = isRepeated(name)
    var found: JSONValue?
    var next = index + 1
    while next < end {
      if tape.isText(at: next, name) {
        found = JSONValue(tape: tape, index: next + 1)
        if !isRepeated { return found }
      }
      next = Int(tape.nodes[next + 1].end)
    }
    return found
  }
}

extension JSONValue {
  /// How JSON is written.
  package enum Style {
    /// As it was, and dates in ISO 8601.
    case written
    /// Dates and the like as a decoder takes them.
    case decodable
    /// The same, with sorted names and numbers written in one way, so that equal values have equal texts.
    case canonical
  }

  /// The value as JSON.
  package func json(_ style: Style = .written) -> String {
    var text = ""
    write(to: &text, style)
    return text
  }

  private func write(to text: inout String, _ style: Style) {
    switch kind {
    case .null: text += "null"
    case .true: text += "true"
    case .false: text += "false"
    case .number: text += style == .canonical ? canonicalNumber : self.text ?? "0"
    case .string: text += JSONText.quoted(self.text ?? "")
    case .unusable: text += unusable ?? ""
    case .native: if let native { text += Self.text(native, style) }
    case .array:
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text, style)
      }
      text += "]"
    case .object:
      text += "{"
      let members = style == .canonical ? members.sorted { $0.name < $1.name } : members
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        text += JSONText.quoted(member.name) + ":"
        member.value.write(to: &text, style)
      }
      text += "}"
    }
  }

  private var canonicalNumber: String {
    guard let text, let (digits, exponent, isNegative) = JSONNumber.parts(text) else {
      return text ?? "0"
    }
    if digits.isEmpty { return "0" }
    // Numbers of which no exponent says how great they are stay as they were written.
    if exponent.magnitude >= JSONNumber.beyondMeasure { return text }
    let number = String(decoding: digits, as: UTF8.self)
    return (isNegative ? "-" : "") + number + (exponent == 0 ? "" : "e\(exponent)")
  }
}

// Values of Swift's.
extension JSONValue {
  private static func text(_ native: any AttributeValue, _ style: Style) -> String {
    guard style == .written else {
      let text = (native as? any Encodable).flatMap { encoded($0) } ?? "null"
      return style == .canonical ? JSONText.value(text)?.json(.canonical) ?? text : text
    }
    return switch native {
    case let date as Date: JSONText.quoted(ISODate.text(date.timeIntervalSinceReferenceDate))
    case let data as Data: JSONText.quoted(data.base64EncodedString())
    case let uuid as UUID: JSONText.quoted(uuid.uuidString)
    case let url as URL: JSONText.quoted(url.absoluteString)
    default: JSONText.quoted("\(native)")
    }
  }

  private static func encoded(_ value: some Encodable) -> String? {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether all of the value has a text that is read as the same.
  package var isWritable: Bool {
    switch kind {
    case .null, .false, .true, .number, .string: true
    case .array: elements.allSatisfy(\.isWritable)
    case .object: members.allSatisfy(\.value.isWritable)
    case .unusable: false
    case .native:
      switch native {
      case let date as Date: ISODate.isWritable(date.timeIntervalSinceReferenceDate)
      case is Data, is UUID, is URL: true
      default: false
      }
    }
  }
}

/// Texts in JSON.
package enum JSONText {
  /// The value of a text; nil where it is none.
  package static func value(_ text: String) -> JSONValue? {
    var parser = JSONParser()
    var value: JSONValue?
    func take(_ tape: JSONTape) { value = tape.root }
    // In an array, so that a text or a number is a record, too.
    do {
      try Array("[\(text)]".utf8).withUnsafeBufferPointer { try parser.read($0, take) }
      try parser.finish(take)
    } catch { return nil }
    return value?.unusablePart == nil ? value : nil
  }

  /// Whether a text is empty, or white space alone.
  package static func isBlank(_ utf8: some Sequence<UInt8>) -> Bool {
    utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

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
