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
