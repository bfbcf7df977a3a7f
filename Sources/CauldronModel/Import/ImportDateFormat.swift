/// How a date is written in what is imported.
///
/// ```swift
/// @Attribute(dateFormat: .pattern("M/d/yyyy H:mm")) var opened: Date?
/// ```
public enum ImportDateFormat: Sendable, Hashable {
  /// ISO 8601 with a zone, with or without fractions of a second: `2026-11-24T08:00:00.5Z`. A date
  /// without a time is its midnight in UTC.
  case iso8601
  /// A number of seconds since 1970.
  case secondsSince1970
  /// A number of milliseconds since 1970; MagicalRecord's `UnixTime`.
  case millisecondsSince1970
  /// A pattern of Unicode Technical Standard 35, read in UTC and in `en_US_POSIX`.
  case pattern(String)
}
