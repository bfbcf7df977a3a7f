/// What a list makes sections of: something coarser than a value, in the order of the values.
package enum SectionTransform: Sendable, Hashable {
  /// The first Unicode scalar of a text as it is compared where case and diacritics are ignored; ""
  /// of a text that has none.
  case firstLetter
  /// The day of a date, counted from 2001-01-01, in the time zone with an identifier.
  case day(timeZone: String)
  /// The month of a date, twelve times its year and 0 for January, in the time zone with an
  /// identifier.
  case month(timeZone: String)

  /// What it makes of a value; of nil, and of what is of another kind, nil.
  ///
  /// A greater value never gives a smaller result: texts as they are folded, dates as they are. For
  /// many values make one `SectionMap`.
  package func apply(_ scalar: AttributeScalar) -> AttributeScalar { SectionMap(self)(scalar) }
}
