import Foundation

/// The capitalized words of a file: those that it declares as types, and all that it names.
struct SourceFile {
  let folder: String
  private(set) var declared: Set<String> = []
  private(set) var named: Set<String> = []

  private static let keywords: Set = ["class", "struct", "enum", "protocol", "actor", "typealias"]

  init(_ file: URL, folder: String) throws {
    self.folder = folder
    var before = ""
    for word in Self.words(Array(try String(contentsOf: file, encoding: .utf8).utf8)) {
      if word.first?.isUppercase == true {
        named.insert(word)
        if Self.keywords.contains(before) { declared.insert(word) }
      }
      before = word
    }
  }

  /// The words outside comments and texts; what a text interpolates is taken for text.
  private static func words(_ bytes: [UInt8]) -> [String] {
    var (words, start): ([String], Int?) = ([], nil)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if isPartOfWord(byte) {
        if start == nil { start = index }
        index += 1
        continue
      }
      if let first = start { words.append(String(decoding: bytes[first..<index], as: UTF8.self)) }
      start = nil
      index = end(ofWhatIsNoCode: index, in: bytes)
    }
    return words
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Where a comment or a text that begins here ends, or the next byte.
  private static func end(ofWhatIsNoCode index: Int, in bytes: [UInt8]) -> Int {
    func begins(_ text: StaticString) -> Bool {
      bytes[index...].prefix(text.utf8CodeUnitCount).elementsEqual("\(text)".utf8)
    }
    if begins("//") {
      return bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
    let quote: [UInt8] = begins("\"\"\"") ? [0x22, 0x22, 0x22] : [0x22]
    guard bytes[index] == 0x22 else { return index + 1 }
    var end = index + quote.count
    while end < bytes.count, !bytes[end...].starts(with: quote) {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(end + quote.count, bytes.count)
  }
}
