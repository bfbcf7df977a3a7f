package import CauldronModel
import Foundation

/// What texts are compared by where case or diacritics are ignored: one rule for SQL and memory.
///
/// A text is first taken apart into letters and marks (Unicode's canonical decomposition), so that
/// texts that look alike are alike. Ignoring diacritics leaves the accents out; marks that are
/// part of a letter in their script, such as vowel signs, stay. Ignoring case writes every letter
/// large and then small, so that "ß" is "ss" and both forms of a small sigma are one. The root
/// locale's rules hold everywhere.
package struct TextFold {
  package let options: TextOptions

  package init(_ options: TextOptions) { self.options = options }

  /// The folded text.
  /// - Complexity: O(length).
  package func callAsFunction(_ text: String) -> String {
    if options.isEmpty { return text }
    var copy = text
    if let ascii = copy.withUTF8({ foldedASCII($0) }) { return ascii }
    var result = String.UnicodeScalarView()
    for scalar in text.decomposed.unicodeScalars {
      append(scalar, to: &result)
    }
    let folded = String(result)
    // Large letters may come apart once more.
    return options.contains(.ignoringCase) ? folded.decomposed : folded
  }

  /// Appends a folded letter, which may have accents behind it.
  func append(_ letter: ArraySlice<Unicode.Scalar>, to result: inout [Unicode.Scalar]) {
    if letter.count == 1, let scalar = letter.first, scalar.value < 0xC0 {
      return append(scalar, to: &result)
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: letter)
    result += callAsFunction(String(text)).unicodeScalars
  }

  private func append(
    _ scalar: Unicode.Scalar, to result: inout some RangeReplaceableCollection<Unicode.Scalar>
  ) {
    if options.contains(.ignoringDiacritics), scalar.isAccent { return }
    guard options.contains(.ignoringCase), !scalar.isDotlessI else { return result.append(scalar) }
    for large in scalar.properties.uppercaseMapping.unicodeScalars {
      for small in large.properties.lowercaseMapping.unicodeScalars {
        if options.contains(.ignoringDiacritics), small.isAccent { continue }
        result.append(small)
      }
    }
  }

  /// Nil where a byte is beyond ASCII.
  private func foldedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard options.contains(.ignoringCase) else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { target in
      for (index, byte) in bytes.enumerated() {
        target[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      }
      return bytes.count
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a mark that stands above, below or across a letter, and is none of the letter's
  /// own parts.
  fileprivate var isAccent: Bool {
    guard value >= 0x300, properties.generalCategory == .nonspacingMark else { return false }
    let position = properties.canonicalCombiningClass.rawValue
    return position == 1 || position >= 200
  }

  /// Turkish letters differ by their dot alone; the large form of this one is a plain I.
  var isDotlessI: Bool { value == 0x131 }
}

/// What a comparison of texts leaves out of account.
///
/// ```swift
/// .beginsWith(\.name, "jö", .ignoringCaseAndDiacritics)       // BEGINSWITH[cd]
/// ```
/// Without options texts are compared byte by byte in UTF-8. With one of them both are folded first,
/// in the same way on every machine, whatever its locale is; see <doc:Queries>. A search then finds whole
/// letters with their accents: "café" has no "cafe" where only case is ignored. What `?`, `.` and sets
/// of patterns stand for is such a letter, too; without options it is a Unicode scalar.
public struct TextOptions: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  /// Options by their bits; what no option stands for is left out.
  public init(rawValue: Int) { self.rawValue = rawValue & Self.known }

  private static let known = 3

  /// `[c]`: "ABC" is "abc", and "STRASSE" is "straße".
  public static let ignoringCase = TextOptions(rawValue: 1)
  /// `[d]`: "é" is "e".
  public static let ignoringDiacritics = TextOptions(rawValue: 2)
  /// `[cd]`: both.
  public static let ignoringCaseAndDiacritics: TextOptions = [.ignoringCase, .ignoringDiacritics]

  /// The options with exactly these bits; nil where one of them stands for nothing.
  init?(exactly bits: Int) {
    self.init(rawValue: bits)
    if rawValue != bits { return nil }
  }

  /// The options as a format string has them; empty where there are none.
  var suffix: String {
    if isEmpty { return "" }
    return "[\(contains(.ignoringCase) ? "c" : "")\(contains(.ignoringDiacritics) ? "d" : "")]"
  }
}

extension TextFold {
  /// A form of a text, for a derived attribute.
  package static func form(_ form: Derivation.TextForm, of text: String) -> String {
    switch form {
    case .same: text
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    case .canonical: TextFold([.ignoringCase, .ignoringDiacritics])(text)
    }
  }
}
