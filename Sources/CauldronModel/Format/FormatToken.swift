/// A word, number, text or sign of a format string.
struct FormatToken {
  let kind: Kind
  /// Where it begins and ends, counted in Unicode scalars.
  let start: Int
  let end: Int

  enum Kind: Equatable {
    case integer(UInt64)
    case real(Double)
    case text(String)
    /// A word; with a # before it, or behind a point, it is the name of a property whatever it is.
    case name(String, isEscaped: Bool)
    /// A word with colons, such as `add:to:`.
    case function(String)
    case variable(String)
    /// `@count` and the like.
    case gathering(String)
    case argument(Conversion)
    case sign(String)
    case end
  }

  /// What an argument has to be.
  enum Conversion: String, Equatable {
    case value = "%@"
    case key = "%K"
    case integer = "%d"
    case real = "%f"
    case text = "%s"
  }

  /// Whether it is a sign.
  func isSign(_ text: String) -> Bool { kind == .sign(text) }

  /// A word in capitals, unless it is escaped: what keywords are compared with.
  var keyword: String? {
    guard case .name(let name, isEscaped: false) = kind else { return nil }
    return name.uppercased()
  }
}
