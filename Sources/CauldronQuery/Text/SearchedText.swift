import CauldronModel
import Foundation

/// A text as searches see it: the scalars that are compared, in characters that no search takes
/// apart.
///
/// Without options a character is a Unicode scalar, compared as it is. With one of them it is a
/// letter with its accents, however they are encoded, compared folded: "é" is one character, and so
/// is "ß", whose two scalars are those of "ss".
struct SearchedText {
  /// What is compared.
  private(set) var scalars: [Unicode.Scalar] = []
  /// Whether each scalar is a character of its own.
  private let isPlain: Bool
  private var characters: [Letter] = []
  /// For each place the number of the character that begins there; -1 within one.
  private var numbers: [Int32] = []

  /// A character of the text.
  struct Letter {
    /// Where its scalars lie.
    let range: Range<Int>
    /// The first scalar of the character as it is written.
    let first: Unicode.Scalar
    /// Whether that is all of it.
    let isSingle: Bool
  }

  /// - Complexity: O(length).
  init(_ text: String, _ options: TextOptions) {
    let fold = TextFold(options)
    isPlain = options.isEmpty || text.utf8.allSatisfy { $0 < 0x80 }
    if isPlain {
      scalars = Array(fold(text).unicodeScalars)
      return
    }
    let composed = text.composed
    let written = Array(composed.unicodeScalars)
    var start = 0
    while start < written.count {
      var end = start + 1
      while end < written.count, written[end].isCombining { end += 1 }
      append(written[start..<end], by: fold)
      start = end
    }
    numbers.append(Int32(characters.count))
  }

  /// Accents that stand by themselves are nothing where diacritics are ignored.
  private mutating func append(_ letter: ArraySlice<Unicode.Scalar>, by fold: TextFold) {
    let start = scalars.count
    fold.append(letter, to: &scalars)
    guard scalars.count > start, let first = letter.first else { return }
    numbers.append(Int32(characters.count))
    numbers += repeatElement(-1, count: scalars.count - start - 1)
    characters.append(
      Letter(range: start..<scalars.count, first: first, isSingle: letter.count == 1))
  }

  /// Whether a character begins at a place, or the text ends there.
  func isBoundary(_ place: Int) -> Bool { isPlain || numbers[place] >= 0 }

  /// The character that begins at a place.
  func character(at place: Int) -> Letter? {
    guard place < scalars.count else { return nil }
    guard !isPlain else { return plain(place) }
    return numbers[place] < 0 ? nil : characters[Int(numbers[place])]
  }

  /// The character that ends at a place.
  func character(endingAt place: Int) -> Letter? {
    guard place > 0 else { return nil }
    guard !isPlain else { return plain(place - 1) }
    return numbers[place] < 1 ? nil : characters[Int(numbers[place]) - 1]
  }

  private func plain(_ place: Int) -> Letter {
    Letter(range: place..<place + 1, first: scalars[place], isSingle: true)
  }
}

extension Unicode.Scalar {
  /// Whether it belongs to the letter before it.
  var isCombining: Bool {
    value >= 0x300 && properties.canonicalCombiningClass != .notReordered
  }
}
