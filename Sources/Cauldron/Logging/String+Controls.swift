extension String {
  /// The text with what would act on a terminal, or end a line, written out: `\n`, `\u{1B}`.
  var withVisibleControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text.append(contentsOf: #"\n"#.unicodeScalars)
      case "\r": text.append(contentsOf: #"\r"#.unicodeScalars)
      case "\t": text.append(contentsOf: #"\t"#.unicodeScalars)
      case _ where scalar.isControl:
        let number = String(scalar.value, radix: 16, uppercase: true)
        text.append(contentsOf: #"\u{\#(number)}"#.unicodeScalars)
      default: text.append(scalar)
      }
    }
    return String(text)
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
}
