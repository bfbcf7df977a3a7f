/// A piece of SQL with the values of its parameters, in the order in which these stand in it.
///
/// Pieces are put together by interpolation: what is bound becomes a parameter, another piece
/// brings its values along, and a text must say that it is SQL. So no value can get into the text,
/// nor to the place of another one.
struct SQLFragment: ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var values: [SQLValue] = []

  /// A text without parameters, such as the name of a column.
  init(sql text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation parts: StringInterpolation) { self = parts.fragment }

  var isEmpty: Bool { text.isEmpty }

  mutating func append(_ other: SQLFragment) {
    text += other.text
    values += other.values
  }

  /// What an interpolated text is made of.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var fragment: SQLFragment

    init(literalCapacity: Int, interpolationCount: Int) {
      fragment = ""
      fragment.text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { fragment.text += literal }

    mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }

    mutating func appendInterpolation(sql text: String) { fragment.text += text }

    mutating func appendInterpolation(bind value: SQLValue) {
      fragment.text += "?"
      fragment.values.append(value)
    }

    mutating func appendInterpolation(bind value: Int64) {
      appendInterpolation(bind: .integer(value))
    }
  }
}

extension Sequence<SQLFragment> {
  /// The pieces with a text between them.
  func joined(by separator: String) -> SQLFragment {
    var result: SQLFragment = ""
    var isFirst = true
    for piece in self {
      if !isFirst { result.append(SQLFragment(sql: separator)) }
      isFirst = false
      result.append(piece)
    }
    return result
  }
}
