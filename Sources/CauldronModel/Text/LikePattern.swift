/// What LIKE compares a whole text with: `*` stands for any characters, `?` for one, and a backslash
/// takes away the meaning of what follows it. Characters are Unicode scalars.
package struct LikePattern: Sendable {
  private enum Part: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    case one
    case any

    func stands(for scalar: Unicode.Scalar) -> Bool { self == .one || self == .scalar(scalar) }
  }

  private let parts: [Part]

  /// Any text is a pattern.
  package init(_ text: String) {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        parts.append(.scalar(scalar))
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" {
        if parts.last != .any { parts.append(.any) }
      } else {
        parts.append(scalar == "?" ? .one : .scalar(scalar))
      }
    }
    if isEscaped { parts.append(.scalar("\\")) }
    self.parts = parts
  }

  /// Whether the whole text is like the pattern.
  /// - Complexity: O(length of the text × length of the pattern) at worst.
  package func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var place = 0
    var position = 0
    // Where the last star stands, and how far what it stands for goes.
    var star: (place: Int, position: Int)?
    while position < scalars.count {
      if place < parts.count, parts[place] == .any {
        star = (place, position)
        place += 1
      } else if place < parts.count, parts[place].stands(for: scalars[position]) {
        place += 1
        position += 1
      } else if let last = star {
        star = (last.place, last.position + 1)
        place = last.place + 1
        position = last.position + 1
      } else {
        return false
      }
    }
    return parts[place...].allSatisfy { $0 == .any }
  }
}
