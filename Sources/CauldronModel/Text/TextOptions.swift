/// What a comparison of texts leaves out of account.
///
/// ```swift
/// .beginsWith(\.name, "jö", .ignoringCaseAndDiacritics)       // BEGINSWITH[cd]
/// ```
/// Without options texts are compared byte by byte in UTF-8. With one of them both are folded first,
/// in the same way on every machine, whatever its locale is: see ``TextFold``. A search then finds whole
/// letters with their accents: "café" has no "cafe" where only case is ignored. What `?`, `.` and sets
/// of patterns stand for is such a letter, too; without options it is a Unicode scalar.
public struct TextOptions: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  /// Options by their bits; what no option stands for is left out.
  public init(rawValue: Int) { self.rawValue = rawValue & Self.known }

  private static let known = 3

  /// `[c]`: "ABC" is "abc", and "STRASSE" is "straße".
  public static let ignoringCase = TextOptions(rawValue: 1)
  /// `[d]`: "é" is "e".
  public static let ignoringDiacritics = TextOptions(rawValue: 2)
  /// `[cd]`: both.
  public static let ignoringCaseAndDiacritics: TextOptions = [.ignoringCase, .ignoringDiacritics]

  /// The options with exactly these bits; nil where one of them stands for nothing.
  init?(exactly bits: Int) {
    self.init(rawValue: bits)
    if rawValue != bits { return nil }
  }

  /// The options as a format string has them; empty where there are none.
  var suffix: String {
    if isEmpty { return "" }
    return "[\(contains(.ignoringCase) ? "c" : "")\(contains(.ignoringDiacritics) ? "d" : "")]"
  }
}
