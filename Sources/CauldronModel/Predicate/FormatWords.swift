/// The words of format strings, and what is one.
package enum FormatWords {
  /// Words that are no names of properties, unless a `#` stands before them.
  package static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "IN", "BETWEEN", "LIKE", "MATCHES",
    "CONTAINS", "BEGINSWITH", "ENDSWITH", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "SELF",
    "CAST", "TERNARY", "SUBQUERY", "TRUEPREDICATE", "FALSEPREDICATE", "FIRST", "LAST", "SIZE",
    "FUNCTION",
  ]

  /// Whether a word may begin with a character.
  static func begins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: !scalar.isASCII && scalar.properties.isIDStart
    }
  }

  /// Whether a word may go on with a character.
  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_", "0"..."9": true
    default: !scalar.isASCII && scalar.properties.isIDContinue
    }
  }

  /// A name as format strings have it: with a `#` before what is a word of the grammar, and in quotes
  /// where it is no word at all.
  static func escaped(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, begins(first), scalars.allSatisfy(continues) else {
      return "#\(AttributeScalar.text(name).formatText)"
    }
    return reserved.contains(name.uppercased()) ? "#\(name)" : name
  }
}
