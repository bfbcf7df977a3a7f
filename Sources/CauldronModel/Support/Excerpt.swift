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
