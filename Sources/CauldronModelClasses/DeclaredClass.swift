/// A class that Swift source declares outside of all other types.
package struct DeclaredClass: Sendable, Hashable {
  package let name: String
  /// The last name of the first type behind the colon; nil where there is none.
  package let superclass: String?
  /// How far it can be seen.
  package let visibility: Visibility
  /// Whether it is seen in its file alone.
  package let isPrivate: Bool
  /// Whether it is marked `@Entity`.
  package let isEntity: Bool
  /// The name that `@Entity("Name")` gives.
  package let entityName: String?
  /// Where the source is.
  package let path: String
  /// The line of its name, from 1.
  package let line: Int

  /// Words at the beginning of declarations other than classes: modifiers in front of them are no class's.
  private static let beginnings: Set<String> = [
    "actor", "associatedtype", "enum", "extension", "func", "let", "macro", "operator",
    "precedencegroup", "protocol", "struct", "typealias", "var",
  ]

  /// The classes that source declares.
  /// - Complexity: O(bytes).
  package static func all(in source: [UInt8], of path: String = "") -> [DeclaredClass] {
    var words = SwiftWords(source)
    var result: [DeclaredClass] = []
    var depth = 0
    var before: [String] = []
    while let word = words.next() {
      switch word.text {
      case "{": depth += 1
      case "}":
        depth -= 1
        before = []
      case "class" where depth == 0 && before.last != "import":
        if let found = read(&words, behind: before, in: path) { result.append(found) }
        // The brace was read with the head of the class.
        depth += 1
        before = []
      default:
        if depth == 0 { before = beginnings.contains(word.text) ? [] : before + [word.text] }
      }
    }
    return result
  }

  /// Reads the head of a class, to its brace.
  private static func read(
    _ words: inout SwiftWords, behind before: [String], in path: String
  ) -> DeclaredClass? {
    guard let name = words.next() else { return nil }
    var superclass: String?
    var isBehindColon = false
    var depth = 0
    while let word = words.next(), word.text != "{" {
      switch word.text {
      case "<": depth += 1
      case ">": depth -= 1
      case ":" where depth == 0: isBehindColon = true
      case ",", "where": isBehindColon = isBehindColon && depth > 0
      case ".", "@", "&", "`": continue
      default:
        if isBehindColon, depth == 0 { superclass = word.text }
      }
    }
    let visibility = before.compactMap(Visibility.init).last ?? .internal
    return DeclaredClass(
      name: name.text, superclass: superclass, visibility: visibility,
      isPrivate: before.contains("private") || before.contains("fileprivate"),
      isEntity: before.contains("Entity"), entityName: entityName(in: before), path: path,
      line: name.line)
  }

  /// The text behind `@Entity(`.
  private static func entityName(in words: [String]) -> String? {
    guard let place = words.lastIndex(of: "Entity"), place + 2 < words.count,
      words[place + 1] == "(", words[place + 2].hasPrefix("\"")
    else { return nil }
    return words[place + 2].filter { $0 != "\"" }
  }
}

/// The words and marks of Swift source, without comments and texts.
struct SwiftWords {
  /// A word or a mark of one character.
  struct Word {
    let text: String
    let line: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The last byte that is no space.
  private var last: UInt8 = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next word or mark; nil at the end.
  mutating func next() -> Word? {
    while let byte = self.byte(0) {
      if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "/") {
        skipLine()
      } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
        skipComment()
      } else if byte == UInt8(ascii: "\"") || isRaw {
        return text()
      } else if byte == UInt8(ascii: "/"), isExpression {
        skipExpression()
      } else if Self.isWord(byte) {
        return word()
      } else {
        advance()
        if byte > 0x20 {
          last = byte
          return Word(text: String(decoding: [byte], as: UTF8.self), line: line)
        }
      }
    }
    return nil
  }

  private func byte(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func word() -> Word {
    let start = position
    while let byte = byte(0), Self.isWord(byte) { position += 1 }
    last = bytes[position - 1]
    return Word(text: String(decoding: bytes[start..<position], as: UTF8.self), line: line)
  }

  /// A text as one word, with its quotation marks.
  private mutating func text() -> Word {
    let (start, line) = (position, line)
    skipText()
    last = UInt8(ascii: "\"")
    return Word(text: String(decoding: bytes[start..<position], as: UTF8.self), line: line)
  }

  /// Whether a stroke begins a regular expression, which ends on its line, and no operator.
  private var isExpression: Bool {
    guard let next = byte(1), next > 0x20, !Self.isWord(last), last != UInt8(ascii: ")"),
      last != UInt8(ascii: "]")
    else { return false }
    var offset = 1
    while let byte = byte(offset), byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "/"), self.byte(offset - 1) != UInt8(ascii: "\\") { return true }
      offset += 1
    }
    return false
  }

  private mutating func skipExpression() {
    position += 1
    while let byte = byte(0), byte != UInt8(ascii: "/") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
    last = UInt8(ascii: ")")
  }

  private mutating func skipLine() {
    while let byte = byte(0), byte != UInt8(ascii: "\n") { position += 1 }
  }

  /// Passes over a comment, with all that lie in it.
  private mutating func skipComment() {
    var depth = 0
    while let byte = byte(0) {
      if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 1
      } else if byte == UInt8(ascii: "*"), self.byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 1
      }
      advance()
      if depth == 0 { return }
    }
  }

  /// Whether a text with number signs around it begins.
  private var isRaw: Bool {
    var offset = 0
    while byte(offset) == UInt8(ascii: "#") { offset += 1 }
    return offset > 0 && (byte(offset) == UInt8(ascii: "\"") || byte(offset) == UInt8(ascii: "/"))
  }

  /// Passes over a text, or a regular expression between number signs.
  private mutating func skipText() {
    var signs = 0
    while byte(0) == UInt8(ascii: "#") {
      signs += 1
      position += 1
    }
    guard let quote = byte(0) else { return }
    let isLong = byte(1) == quote && byte(2) == quote && quote == UInt8(ascii: "\"")
    position += isLong ? 3 : 1
    while let byte = byte(0) {
      if byte == UInt8(ascii: "\n"), !isLong, signs == 0 { return }
      if byte == UInt8(ascii: "\\"), isFollowed(by: signs, at: 1) {
        position += 1 + signs
        if self.byte(0) == UInt8(ascii: "(") {
          skipParentheses()
        } else if self.byte(0) != nil {
          advance()
        }
      } else if byte == quote, isEnd(quote, isLong: isLong, signs: signs) {
        position += (isLong ? 3 : 1) + signs
        return
      } else {
        advance()
      }
    }
  }

  private func isEnd(_ quote: UInt8, isLong: Bool, signs: Int) -> Bool {
    if isLong, byte(1) != quote || byte(2) != quote { return false }
    return isFollowed(by: signs, at: isLong ? 3 : 1)
  }

  private func isFollowed(by signs: Int, at offset: Int) -> Bool {
    (0..<signs).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  /// Passes over what a text has between parentheses, with the texts in it.
  private mutating func skipParentheses() {
    var depth = 0
    repeat {
      if byte(0) == UInt8(ascii: "(") {
        depth += 1
        position += 1
      } else if byte(0) == UInt8(ascii: ")") {
        depth -= 1
        position += 1
      } else if byte(0) == UInt8(ascii: "\"") || isRaw {
        skipText()
      } else if byte(0) != nil {
        advance()
      }
    } while depth > 0 && byte(0) != nil
  }
}
