/// Where an import finds the value of an attribute, and what it makes of it.
///
/// The arguments of `@Attribute` write it; a described model and a plan can set it themselves.
public struct AttributeImport: Sendable, Hashable {
  /// The names, or paths of names with points, that are tried in this order; none for the property's own
  /// name.
  public var from: [String]
  private var saidAbsent: ImportPolicy?
  private var saidNull: ImportPolicy?
  /// The value for an empty text, or for white space alone; nil to follow the options of the
  /// import, by default as a text.
  public var empty: ImportPolicy?
  /// How dates are written, tried in this order; none for ISO 8601.
  public var dateFormats: [ImportDateFormat]
  /// Makes the value from the whole record.
  public var transform: ImportTransform?
  /// Whether imports leave the attribute alone.
  public var isExcluded: Bool

  /// Describes where a value is found.
  public init(
    from: [String] = [], absent: ImportPolicy? = nil, null: ImportPolicy? = nil,
    empty: ImportPolicy? = nil, dateFormats: [ImportDateFormat] = [],
    transform: ImportTransform? = nil, isExcluded: Bool = false
  ) {
    self.from = from
    saidAbsent = absent
    saidNull = null
    self.empty = empty
    self.dateFormats = dateFormats
    self.transform = transform
    self.isExcluded = isExcluded
  }
}

extension AttributeImport {
  /// What becomes of the attribute where no name is there; `.keep` by default.
  public var absent: ImportPolicy {
    get { saidAbsent ?? .keep }
    set { saidAbsent = newValue }
  }

  /// What becomes of it where there is null; `.setNil` by default.
  public var null: ImportPolicy {
    get { saidNull ?? .setNil }
    set { saidNull = newValue }
  }

  /// The same, and what another says of all that this one says nothing of.
  ///
  /// Names come before the other's transform: they say where the value is now. Whether the attribute is
  /// imported is said by naming it.
  package func over(_ other: AttributeImport) -> AttributeImport {
    var merged = self
    if from.isEmpty {
      merged.from = other.from
      merged.transform = transform ?? other.transform
    }
    merged.saidAbsent = saidAbsent ?? other.saidAbsent
    merged.saidNull = saidNull ?? other.saidNull
    merged.empty = empty ?? other.empty
    if dateFormats.isEmpty { merged.dateFormats = other.dateFormats }
    return merged
  }
}

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

/// Makes the value of a property from a whole record.
///
/// It runs before the keys of an import are collected, so that it can make keys, too.
/// ```swift
/// @Relationship(transform: ImportTransform { $0["code"]?.string.map { String($0.prefix(2)) } })
/// var country: Country?
/// ```
/// Two transforms are equal only if one is a copy of the other.
public final class ImportTransform: Sendable {
  /// Makes a value: a Swift value, an ``ImportSource``, or an array of either; nil for null.
  public typealias Reading = @Sendable (ImportSource) throws -> (any Sendable)?
  /// Makes what a record has under the property's name from the property's value; for a relationship from an
  /// ``ImportSource`` with what would be written of it: a key, a nested record, or an array of these.
  public typealias Writing = @Sendable (any Sendable) throws -> (any Sendable)?

  let reading: Reading
  let writing: Writing?

  /// Makes a transform.
  /// - Parameters:
  ///   - writing: The way back, for exports; without one the property cannot be exported.
  ///   - reading: Makes the value; it runs wherever the import reads. What it throws refuses the record.
  public init(writing: Writing? = nil, _ reading: @escaping Reading) {
    self.reading = reading
    self.writing = writing
  }

  package func read(_ source: ImportSource) throws -> (any Sendable)? { try reading(source) }

  package var canWrite: Bool { writing != nil }

  package func write(_ value: any Sendable) throws -> (any Sendable)? { try writing?(value) }
}

extension ImportTransform: Hashable {
  public static func == (a: ImportTransform, b: ImportTransform) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
