/// How exactly a value must be what its property keeps; the article `Importing` has the table.
public enum ImportMode: Sendable, Hashable {
  /// Texts are texts, numbers are numbers, and nothing is lost.
  case strict
  /// As MagicalRecord took values: numbers and truth values may be written as texts and texts as numbers,
  /// fractions are cut off, and a number is a date in seconds since 1970. What cannot be read is refused
  /// all the same.
  case lenient
}
