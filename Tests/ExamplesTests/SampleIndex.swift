/// A package index to import, and what is to be found in it.
enum SampleIndex {
  static let sections = 20
  static let maintainers = 7

  /// Packages "p1"…: a section for each twentieth, a maintainer for each seventh, and sizes that
  /// grow with the number.
  static func stanzas(_ count: Int) -> String {
    (1...count).map(stanza).joined(separator: "\n")
  }

  private static func stanza(_ number: Int) -> String {
    """
    Package: p\(number)
    Status: install ok installed
    Installed-Size: \(number)
    Maintainer: Maintainer \(number % maintainers) <m\(number % maintainers)@example.org>
    Architecture: amd64
    Section: section\(number % sections)
    Version: 1.\(number)
    Size: \(number * 700)
    Description: package number \(number)
     More about it, on a line
     .
     and another one: with a colon.

    """
  }

  /// Four packages among seven lines that are not in the format; the last line is not ended.
  static let malformed = """
    Package: good
    Version: 1
    Installed-Size: many
    Section: odd

    Version: 2
    Section: odd

     a continuation of nothing
    two words: value
    Package: twin
    Version: 3
    Package: twin
    no colon at all
    Version: 4
    Size: -7

    Package: last
    """
}
