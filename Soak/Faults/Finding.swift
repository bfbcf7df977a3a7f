import Foundation

/// Something that must not be.
struct Finding: CustomStringConvertible {
  enum Kind: String, CaseIterable {
    /// An acknowledged save is not in the file.
    case lost
    /// A save is there in part, or the file is damaged.
    case torn
    /// An answer or a read was not true.
    case falseAnswer = "false"
    /// What should work again does not, or the process died or stands still.
    case unusable

    /// What it is called where it is counted.
    var name: String { self == .falseAnswer ? "false answers" : rawValue }
  }

  let kind: Kind
  let text: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Reads what `description` wrote.
  init?(_ line: String) {
    guard let colon = line.range(of: ": "),
      let kind = Kind(rawValue: String(line[..<colon.lowerBound]))
    else { return nil }
    self.init(kind, String(line[colon.upperBound...]))
  }

  var description: String { "\(kind.rawValue): \(text)" }
}
