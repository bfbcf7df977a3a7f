extension String {
  /// The text with what would act on a terminal, or end a line, written out: `\n`, `\u{1B}`.
  package var withVisibleControls: String {
    replacingControls { scalar in
      switch scalar {
      case "\n": #"\n"#
      case "\r": #"\r"#
      case "\t": #"\t"#
      default: #"\u{\#(scalar.hexDigits)}"#
      }
    }
  }

  /// A text of JSON with what would act on a terminal as JSON writes it, `\u001b`: the same values. Lines
  /// end where they did.
  package var withEscapedControls: String {
    replacingControls { scalar in
      if scalar == "\n" { return "\n" }
      let digits = scalar.hexDigits
      return #"\u"# + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  private func replacingControls(by text: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isControl {
        result.append(contentsOf: text(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether it controls a terminal, ends a line, or turns the direction of what follows.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  fileprivate var hexDigits: String { String(value, radix: 16, uppercase: true) }
}

extension String {
  /// The text where it has at most so many scalars, and else its beginning and its end.
  ///
  /// By scalars, because a single letter can be as long as a text, by its accents.
  package func excerpt(_ most: Int) -> String {
    guard utf8.count > most, unicodeScalars.count > most else { return self }
    let end = most / 3
    var result = String.UnicodeScalarView(unicodeScalars.prefix(most - end - 1))
    result.append("…")
    result.append(contentsOf: unicodeScalars.suffix(end))
    return String(result)
  }

  /// The text with a space in the place of each end of a line.
  package var inOneLine: String {
    contains(where: \.isNewline) ? String(map { $0.isNewline ? " " : $0 }) : self
  }
}
