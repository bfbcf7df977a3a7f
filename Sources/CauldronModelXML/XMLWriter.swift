/// Writes documents in the form in which Xcode writes models.
package struct XMLWriter {
  private var result = ""

  private init() {}

  /// The text of a document; UTF-8 as bytes.
  package static func text(of document: XMLDocument) -> String {
    var writer = XMLWriter()
    writer.result = "<?xml \(document.declaration)?>\(document.prologue)"
    writer.write(document.root, level: 0)
    return writer.result + document.epilogue
  }

  private mutating func write(_ element: XMLElement, level: Int) {
    result += "<\(element.name)"
    for attribute in element.attributes {
      result += " \(attribute.name)=\"\(Self.escaped(attribute.value, isAttribute: true))\""
    }
    if element.children.isEmpty {
      result += "/>"
      return
    }
    result += ">"
    // Characters beside elements belong to the text, so that no line may be broken.
    let isText = element.children.contains { if case .text = $0 { true } else { false } }
    for child in element.children {
      if !isText { breakLine(level + 1) }
      write(child, level: level + 1)
    }
    if !isText { breakLine(level) }
    result += "</\(element.name)>"
  }

  private mutating func write(_ node: XMLNode, level: Int) {
    switch node {
    case .element(let element): write(element, level: level)
    case .text(let text): result += Self.escaped(text, isAttribute: false)
    case .comment(let text): result += "<!--\(text)-->"
    }
  }

  private mutating func breakLine(_ level: Int) {
    result += "\n" + String(repeating: "    ", count: level)
  }

  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    guard text.utf8.contains(where: { special($0, isAttribute: isAttribute) != nil }) else {
      return text
    }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if let entity = special(byte, isAttribute: isAttribute) {
        bytes += Array(entity.utf8)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func special(_ byte: UInt8, isAttribute: Bool) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): isAttribute ? "&quot;" : nil
    case UInt8(ascii: "\n"): isAttribute ? "&#10;" : nil
    case UInt8(ascii: "\t"): isAttribute ? "&#9;" : nil
    // A reader takes it for a newline otherwise.
    case UInt8(ascii: "\r"): "&#13;"
    default: nil
    }
  }
}
