/// A subtree of a list's keys: a page, or a branch above several.
///
/// Keys are taken as unsigned numbers, of which the lowest 9 bits choose a slot of a page, and each 6
/// more a child of a branch. Levels on which all keys agree are left out.
enum KeyNode<Element: ListElement>: Sendable {
  case page(KeyPage<Element>)
  case branch(KeyBranch<Element>)

  /// Some key of the subtree, give or take the bits that tell its own keys apart.
  var prefix: UInt64 {
    switch self {
    case .page(let page): page.prefix
    case .branch(let branch): branch.prefix
    }
  }

  /// The lowest of the bits that choose a child; 0 for a page.
  var shift: Int {
    switch self {
    case .page: 0
    case .branch(let branch): branch.shift
    }
  }

  var count: Int {
    switch self {
    case .page(let page): page.elements.count
    case .branch(let branch): branch.count
    }
  }

  func isIdentical(to other: KeyNode) -> Bool {
    switch (self, other) {
    case (.page(let a), .page(let b)): a === b
    case (.branch(let a), .branch(let b)): a === b
    case (.page, .branch), (.branch, .page): false
    }
  }

  /// Which child of a branch at a level has a key.
  static func slot(_ key: UInt64, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: key >> shift & 63)
  }

  /// The lowest level that tells keys apart which differ in some bits.
  static func shift(of difference: UInt64) -> Int {
    if difference < 512 { return 0 }
    let highest = 63 - difference.leadingZeroBitCount
    return 9 + (highest - 9) / 6 * 6
  }
}
