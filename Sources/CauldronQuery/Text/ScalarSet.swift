import CauldronModel

/// Some of all characters.
struct ScalarSet: Sendable {
  /// What is compared by options, folded.
  private var folded: [[Unicode.Scalar]] = []
  /// The scalars that are named one by one, and those between two scalars.
  private var ranges: [ClosedRange<Unicode.Scalar>] = []
  /// Kinds of characters that belong to it; of an opposite one, all characters outside the kind do.
  private var kinds: [(kind: Kind, isOpposite: Bool)] = []
  private let options: TextOptions
  var isOpposite = false

  /// A kind of characters that expressions have a sign for.
  enum Kind: Sendable {
    case digit, word, space, any
  }

  init(_ kind: Kind, isOpposite: Bool = false) {
    kinds = [(kind, isOpposite)]
    options = []
  }

  init(_ options: TextOptions) { self.options = options }

  /// Adds a letter, which may have accents behind it.
  mutating func add(_ letter: [Unicode.Scalar]) {
    guard !options.isEmpty else {
      ranges += letter.map { $0...$0 }
      return
    }
    var result: [Unicode.Scalar] = []
    TextFold(options).append(letter[...], to: &result)
    if !result.isEmpty { folded.append(result) }
  }

  mutating func add(_ range: ClosedRange<Unicode.Scalar>) { ranges.append(range) }

  /// Adds a kind of characters.
  mutating func add(_ set: ScalarSet) { kinds += set.kinds }

  /// Whether a character belongs to it, whose scalars are compared as these.
  ///
  /// One that is named is compared folded; with a range the character as it is, folded, large and
  /// small.
  func contains(_ letter: SearchedText.Letter, in scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    let isIn =
      kinds.contains { Self.holds($0.kind, for: letter.first) != $0.isOpposite }
      || folded.contains { $0.elementsEqual(scalars) } || lies(letter, in: scalars)
    return isIn != isOpposite
  }

  private func lies(
    _ letter: SearchedText.Letter, in scalars: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    if ranges.isEmpty { return false }
    if letter.isSingle, lies(letter.first) { return true }
    if options.isEmpty { return false }
    var forms = letter.isSingle ? [letter.first] : []
    if scalars.count == 1 { forms += scalars }
    if options.contains(.ignoringCase) { forms += forms.flatMap(Self.cases) }
    return forms.contains(where: lies)
  }

  private func lies(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar) }
  }

  /// The large and the small form, where that is one character.
  private static func cases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isDotlessI { return [] }
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

  static func isWord(_ scalar: Unicode.Scalar) -> Bool { holds(.word, for: scalar) }

  private static func holds(_ kind: Kind, for scalar: Unicode.Scalar) -> Bool {
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
