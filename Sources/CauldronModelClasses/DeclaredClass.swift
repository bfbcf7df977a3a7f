/// A class that Swift source declares outside of all other types.
package struct DeclaredClass: Sendable, Hashable {
  package let name: String
  /// The last name of the first type behind the colon; nil where there is none.
  package let superclass: String?
  /// `public `, `package ` or nothing; what a class needs of its superclass.
  package let access: String
  /// Whether it is marked `@Entity`.
  package let isEntity: Bool
  /// The line of its name, from 1.
  package let line: Int

  /// The classes that source declares.
  /// - Complexity: O(bytes).
  package static func all(in source: [UInt8]) -> [DeclaredClass] {
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
      case "class" where depth == 0:
        if let found = read(&words, behind: before) { result.append(found) }
        // The brace was read with the head of the class.
        depth += 1
        before = []
      default:
        if depth == 0 { before.append(word.text) }
      }
    }
    return result
  }

  /// Reads the head of a class, to its brace.
  private static func read(_ words: inout SwiftWords, behind before: [String]) -> DeclaredClass? {
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
      case ".", "@", "&": continue
      default:
        if isBehindColon, depth == 0 { superclass = word.text }
      }
    }
    let access = before.contains("public") || before.contains("open") ? "public " : ""
    return DeclaredClass(
      name: name.text, superclass: superclass,
      access: before.contains("package") ? "package " : access,
      isEntity: before.contains("Entity"), line: name.line)
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

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next word or mark; nil at the end.
  mutating func next() -> Word? {
    while let byte = self.byte(0) {
      if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "/") {
        skipLine()
      } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
        skipComment()
      } else if byte == UInt8(ascii: "\"") || isRaw {
        skipText()
      } else if Self.isWord(byte) {
        return word()
      } else {
        advance()
        if byte > 0x20 {
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
    return Word(text: String(decoding: bytes[start..<position], as: UTF8.self), line: line)
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
