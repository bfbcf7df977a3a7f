import CauldronList
import CauldronModel
import Foundation

/// What sections are called.
enum SectionNames {
  static func name(of value: AttributeScalar, form: SectionForm?) -> String {
    switch (form, value) {
    case (_, .null): ""
    case (.firstLetter, .text(let letter)): title(letter)
    case (.day, .integer(let day)): self.day(day)
    case (.month, .integer(let month)): self.month(month)
    case (_, .integer(let number)): "\(number)"
    case (_, .real(let number)): "\(number)"
    case (_, .text(let text)): text
    case (_, .blob(let data)): data.base64EncodedString()
    }
  }

  /// A letter as a capital, unless that would make two letters one.
  private static func title(_ letter: String) -> String {
    let capital = letter.uppercased()
    return capital.lowercased() == letter ? capital : letter
  }

  /// A day, counted from the first of 2001, as `2026-11-23`.
  private static func day(_ day: Int64) -> String {
    // The days of 400 years repeat; March comes first, so that leap days come last.
    let days = day + 730_791
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let rest = days - era * 146_097
    let year = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365
    let dayOfYear = rest - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let isNext = month >= 10
    return text(year + era * 400 + (isNext ? 1 : 0)) + "-"
      + text(month + (isNext ? -9 : 3), digits: 2)
      + "-"
      + text(date, digits: 2)
  }

  /// A month, counted from the first of year 0, as `2026-11`.
  private static func month(_ month: Int64) -> String {
    let year = (month >= 0 ? month : month - 11) / 12
    return text(year) + "-" + text(month - year * 12 + 1, digits: 2)
  }

  private static func text(_ number: Int64, digits: Int = 4) -> String {
    let text = "\(number.magnitude)"
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count))
      + text
  }
}

/// Runs what checks the order of sections, and says which two do not fit.
func sectioned<R>(
  _ body: () throws -> R
) throws -> R {
  do {
    return try body()
  } catch let error as RepeatedSection<AttributeScalar> {
    let value = SectionNames.name(of: error.value, form: nil)
    throw CauldronError(
      .queryUnsupported,
      "The section \"\(value)\" comes again behind \"\(SectionNames.name(of: error.between, form: nil))\": the"
        + " order of the list does not keep its objects together.",
      hint:
        "Sort by the attribute that the sections are made of first, or make names that follow its"
        + " order.")
  }
}
