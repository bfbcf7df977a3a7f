/// Reads documents: elements, attributes, texts, comments and the five entities of XML.
///
/// Bytes from anywhere give a document or a failure, in a time and a space that their number limits. There are no
/// other entities, no namespaces and no processing instructions, and elements lie in one another 100 deep at
/// most.
package struct XMLReader {
  private let bytes: [UInt8]
  private let allowsDoctype: Bool
  private var position = 0
  private var line = 1

  /// The depth of elements that is read.
  package static let deepest = 100

  private init(_ bytes: [UInt8], allowsDoctype: Bool) {
    self.bytes = bytes
    self.allowsDoctype = allowsDoctype
  }

  /// The document that bytes are.
  /// - Parameter allowsDoctype: Whether a document type is passed over, as property lists have one.
  /// - Complexity: O(bytes).
  package static func document(
    _ bytes: [UInt8], allowsDoctype: Bool = false
  ) throws(XMLFailure) -> XMLDocument {
    var reader = XMLReader(bytes, allowsDoctype: allowsDoctype)
    return try reader.document()
  }

  private mutating func document() throws(XMLFailure) -> XMLDocument {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    var declaration: String?
    if skip("<?xml") {
      declaration = try text(through: "?>", "the XML declaration").trimmed
    }
    let start = position
    try skipProlog()
    let prologue = try string(start..<position)
    guard skip("<") else { throw failure("there is no element") }
    var document = XMLDocument(root: try element(depth: 1))
    if let declaration { document.declaration = declaration }
    document.prologue = prologue
    let end = position
    try skipMisc()
    guard position == bytes.count else { throw failure("something follows the last element") }
    document.epilogue = try string(end..<position)
    return document
  }

  /// Passes over what stands before the first element.
  private mutating func skipProlog() throws(XMLFailure) {
    try skipMisc()
    guard skip("<!DOCTYPE") else { return }
    guard allowsDoctype else { throw failure("a document type is not read") }
    let type = try text(through: ">", "the document type")
    guard !type.contains("[") else { throw failure("declarations of a document type are not read") }
    try skipMisc()
  }

  private mutating func skipMisc() throws(XMLFailure) {
    skipSpace()
    while skip("<!--") {
      _ = try text(through: "-->", "a comment")
      skipSpace()
    }
  }

  /// Reads an element behind its `<`.
  private mutating func element(depth: Int) throws(XMLFailure) -> XMLElement {
    let line = line
    if depth > Self.deepest { throw failure("elements are more than \(Self.deepest) deep") }
    let name = try name("an element")
    let attributes = try attributes(of: name)
    if skip("/>") { return XMLElement(name, attributes: attributes, children: [], line: line) }
    guard skip(">") else { throw failure("the tag <\(name) has no end") }
    let children = try children(of: name, depth: depth)
    return XMLElement(name, attributes: attributes, children: children, line: line)
  }

  private mutating func attributes(of element: String) throws(XMLFailure) -> [XMLAttribute] {
    var result: [XMLAttribute] = []
    var names: Set<String> = []
    while true {
      let hasSpace = skipSpace()
      guard let byte = next, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
        return result
      }
      guard hasSpace else { throw failure("an attribute of <\(element)> has no space before it") }
      let name = try name("an attribute of <\(element)>")
      skipSpace()
      guard skip("=") else { throw failure("\(name) of <\(element)> has no value") }
      skipSpace()
      guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw failure("the value of \(name) has no quotation marks")
      }
      position += 1
      let value = try characters(until: quote, "the value of \(name)")
      advance(1)
      guard names.insert(name).inserted else { throw failure("<\(element)> has \(name) twice") }
      result.append(XMLAttribute(name, value))
    }
  }

  /// Reads what an element has within it, and its end.
  private mutating func children(
    of element: String, depth: Int
  ) throws(XMLFailure) -> [XMLNode] {
    let start = line
    var result: [XMLNode] = []
    while true {
      let text = try characters(until: UInt8(ascii: "<"), "<\(element)> of line \(start)")
      if !text.isSpace { result.append(.text(text)) }
      if skip("</") {
        let name = try name("an end")
        guard name == element else {
          throw failure("</\(name)> ends <\(element)> of line \(start)")
        }
        skipSpace()
        guard skip(">") else { throw failure("</\(name) has no end") }
        return result
      } else if skip("<!--") {
        result.append(.comment(try self.text(through: "-->", "a comment")))
      } else if skip("<![CDATA[") {
        result.append(.text(try self.text(through: "]]>", "a section of characters")))
      } else if skip("<!") || skip("<?") {
        throw failure("an instruction is not read")
      } else {
        advance(1)
        result.append(.element(try self.element(depth: depth + 1)))
      }
    }
  }

  // MARK: Characters

  private mutating func name(_ what: String) throws(XMLFailure) -> String {
    let start = position
    while let byte = next, Self.isName(byte) { position += 1 }
    guard position > start, !Self.isDigit(bytes[start]) else {
      throw failure("\(what) has no name")
    }
    return try string(start..<position)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...: true
    default: isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Reads characters up to a byte, which stays.
  private mutating func characters(
    until end: UInt8, _ what: String
  ) throws(XMLFailure) -> String {
    var result = ""
    var start = position
    while let byte = next, byte != end {
      if byte == UInt8(ascii: "<") { throw failure("there is a < in \(what)") }
      if byte == UInt8(ascii: "&") {
        result += try string(start..<position)
        result.unicodeScalars.append(try entity())
        start = position
      } else {
        guard byte >= 0x20 || Self.isSpace(byte) else {
          throw failure("there is a control character in \(what)")
        }
        advance(1)
      }
    }
    guard next != nil else { throw failure("\(what) has no end") }
    return try result + string(start..<position)
  }

  private mutating func entity() throws(XMLFailure) -> Unicode.Scalar {
    advance(1)
    let start = position
    while let byte = next, byte != UInt8(ascii: ";"), position - start < 12 { position += 1 }
    let name = try string(start..<position)
    guard skip(";") else { throw failure("an & begins no entity") }
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let number, number > 0, let scalar = Unicode.Scalar(number) else {
        throw failure("&\(name); is no entity")
      }
      return scalar
    }
  }

  /// Reads up to the end of a mark, and gives what stands before the mark.
  private mutating func text(
    through mark: StaticString, _ what: String
  ) throws(XMLFailure) -> String {
    let start = position
    while position < bytes.count {
      let end = position
      if skip(mark) { return try string(start..<end) }
      advance(1)
    }
    throw failure("\(what) has no end")
  }

  private func string(_ range: Range<Int>) throws(XMLFailure) -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw failure("the text is not UTF-8")
    }
    return text
  }

  // MARK: Position

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func advance(_ count: Int) {
    for byte in bytes[position..<position + count] where byte == UInt8(ascii: "\n") { line += 1 }
    position += count
  }

  /// Passes over a text, if it is the next one.
  private mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard bytes.count - position >= length else { return false }
    for offset in 0..<length where bytes[position + offset] != text.utf8Start[offset] {
      return false
    }
    advance(length)
    return true
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = position
    while let byte = next, Self.isSpace(byte) { advance(1) }
    return position > start
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  private func failure(_ reason: String) -> XMLFailure { XMLFailure(line: line, reason) }
}

extension String {
  /// Whether there is nothing but space.
  fileprivate var isSpace: Bool {
    utf8.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
  }

  /// The text without space around it.
  fileprivate var trimmed: String {
    var rest = Substring(self)
    while let first = rest.utf8.first, first == 0x20 || first == 0x0A { rest.removeFirst() }
    while let last = rest.utf8.last, last == 0x20 || last == 0x0A { rest.removeLast() }
    return String(rest)
  }
}
