import CauldronModel

/// What LIKE compares a whole text with: `*` stands for any characters, `?` for one, and a backslash
/// takes away the meaning of what follows it.
///
/// Without options characters are Unicode scalars. With one of them they are letters with their
/// accents, and what is spelt out is compared folded; see ``SearchedText``.
package struct LikePattern: Sendable {
  private enum Part: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    case one
    case any
  }

  private let parts: [Part]
  private let options: TextOptions

  /// Any text is a pattern.
  package init(_ text: String, _ options: TextOptions = []) {
    self.options = options
    var parts: [Part] = []
    var isEscaped = false
    var spelt = String.UnicodeScalarView()
    func end() {
      parts += TextFold(options)(String(spelt)).unicodeScalars.map { .scalar($0) }
      spelt.removeAll()
    }
    for scalar in text.unicodeScalars {
      if isEscaped || !["\\", "*", "?"].contains(scalar) {
        spelt.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        end()
        if scalar == "?" { parts.append(.one) } else if parts.last != .any { parts.append(.any) }
      }
    }
    if isEscaped { spelt.append("\\") }
    end()
    self.parts = parts
  }

  /// Whether the whole text is like the pattern.
  /// - Complexity: O(length of the text × length of the pattern) at worst.
  package func matches(_ text: String) -> Bool {
    let text = SearchedText(text, options)
    var place = 0
    var position = 0
    // Where the last star stands, and how far what it stands for goes.
    var star: (place: Int, position: Int)?
    while position < text.scalars.count || place < parts.count {
      if place < parts.count, parts[place] == .any, text.isBoundary(position) {
        star = (place, position)
        place += 1
      } else if place < parts.count, let end = end(of: parts[place], at: position, in: text) {
        place += 1
        position = end
      } else if position < text.scalars.count, let last = star,
        let next = text.character(at: last.position)
      {
        star = (last.place, next.range.upperBound)
        place = last.place + 1
        position = next.range.upperBound
      } else {
        return false
      }
    }
    return true
  }

  /// Where the part ends that stands at a position of the text; nil where it does not.
  private func end(of part: Part, at position: Int, in text: SearchedText) -> Int? {
    guard position < text.scalars.count else { return nil }
    switch part {
    case .scalar(let scalar): return text.scalars[position] == scalar ? position + 1 : nil
    case .one: return text.character(at: position)?.range.upperBound
    case .any: return nil
    }
  }
}
