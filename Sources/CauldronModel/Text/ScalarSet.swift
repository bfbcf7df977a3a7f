/// Some of all Unicode scalars.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  /// Kinds of characters that belong to it, and others that do not.
  var kinds: [(kind: Kind, isOpposite: Bool)] = []
  var isOpposite = false
  var ignoresCase = false

  /// A kind of characters that expressions have a sign for.
  enum Kind: Sendable {
    case digit, word, space, any
  }

  /// A single character.
  init(_ scalar: Unicode.Scalar, ignoresCase: Bool) {
    ranges = [scalar.value...scalar.value]
    self.ignoresCase = ignoresCase
  }

  init(_ kind: Kind, isOpposite: Bool = false) { kinds = [(kind, isOpposite)] }

  init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

  static let word = ScalarSet(.word)

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isIn = holds(scalar)
    if !isIn, ignoresCase {
      isIn = Self.forms(of: scalar).contains(where: holds)
    }
    return isIn != isOpposite
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) }
      || kinds.contains { Self.holds($0.kind, scalar) != $0.isOpposite }
  }

  /// The large and the small form, where that is one character.
  private static func forms(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let properties = scalar.properties
    let large = properties.uppercaseMapping.unicodeScalars
    let small = properties.lowercaseMapping.unicodeScalars
    var result = [large, small].filter { $0.count == 1 }.compactMap(\.first)
    // The other small form of a letter that has two.
    if large.count == 1, let first = large.first {
      let again = first.properties.lowercaseMapping.unicodeScalars
      if again.count == 1, let form = again.first { result.append(form) }
    }
    return result
  }

  private static func holds(_ kind: Kind, _ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch kind {
    case .any: return ![0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029].contains(scalar.value)
    case .digit: return properties.generalCategory == .decimalNumber
    case .space: return properties.isWhitespace
    case .word:
      switch properties.generalCategory {
      case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark:
        return true
      default: return properties.isAlphabetic
      }
    }
  }
}
