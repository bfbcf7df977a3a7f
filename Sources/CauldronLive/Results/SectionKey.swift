public import CauldronGraph
public import CauldronModel
import CauldronQuery

/// What divides a list into sections, and is sorted by first.
///
/// ```swift
/// FetchedResultsController(Person.where(\.isActive), in: .default, sectionBy: .firstLetter(of: \.name))
/// ```
/// Where the order does not lead with it already, it is put in front, so that each section comes once; with
/// a window the list then shows the first objects of that order. Where the query's order begins with the
/// same attribute downwards, the sections come downwards, too.
public struct SectionKey<Object: ManagedObject>: Sendable, Hashable {
  let section: LiveSection

  init(_ expression: QueryExpression, _ form: SectionForm) {
    section = LiveSection(expression: expression, form: form)
  }

  /// The values of an attribute, or of one behind to-one relationships, such as `employer.name`.
  public static func value(_ key: String) -> SectionKey {
    SectionKey(.property(PropertyPath(key)), .value)
  }

  /// The first letters of a text attribute, whatever their case and diacritics. Where the list is ordered by
  /// the same attribute and by language, letters with diacritics that this has as its own stay apart.
  public static func firstLetter(_ key: String) -> SectionKey {
    SectionKey(.property(PropertyPath(key)), .firstLetter)
  }

  /// The days of a date attribute, called like `2026-11-23`.
  /// - Parameter timeZone: The identifier of the time zone in which days begin; `GMT` by default. The
  ///   fetch throws `query.unsupported` for an unknown one, and `query.typeMismatch` for what is no date.
  public static func day(_ key: String, timeZone: String = "GMT") -> SectionKey {
    SectionKey(.property(PropertyPath(key)), .day(timeZone: timeZone))
  }

  /// The months of a date attribute, called like `2026-11`.
  /// - Parameter timeZone: The identifier of the time zone in which months begin; `GMT` by default. The
  ///   fetch throws `query.unsupported` for an unknown one, and `query.typeMismatch` for what is no date.
  public static func month(_ key: String, timeZone: String = "GMT") -> SectionKey {
    SectionKey(.property(PropertyPath(key)), .month(timeZone: timeZone))
  }

  /// Names that a closure makes of an attribute's values.
  ///
  /// Successive values must give successive names: a name that comes again after another one is an
  /// error, which tells of both.
  public static func custom(
    _ key: String, _ name: @escaping @Sendable (AttributeScalar) -> String
  ) -> SectionKey {
    SectionKey(.property(PropertyPath(key)), .custom(SectionName(name)))
  }
}
