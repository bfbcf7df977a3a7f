public import Foundation

/// A value of what is imported, as it was written: a record, or anything in it.
///
/// ```swift
/// override func willImport(_ source: ImportSource) throws {
///   if source["kind"]?.string == "draft" { isDraft = true }
/// }
/// ```
/// Nothing is converted before somebody asks: numbers keep their digits.
public struct ImportSource: Sendable {
  package let value: JSONValue

  package init(_ value: JSONValue) { self.value = value }
}

extension ImportSource {
  /// Whether it is null.
  public var isNull: Bool { value.kind == .null }

  /// The text; nil for what is none.
  public var string: String? { value.kind == .string ? value.text : nil }

  /// The number as an integer; nil for what is none, for a fraction, and beyond 64 bits.
  public var int: Int? {
    guard value.kind == .number, let text = value.text else { return nil }
    return Int(text) ?? JSONNumber.integer(text).flatMap(Int.init(exactly:))
  }

  /// The number; nil for what is none.
  public var double: Double? { value.kind == .number ? value.text.flatMap(Double.init) : nil }

  /// The number with all its digits; nil for what is none.
  public var decimal: Decimal? {
    guard value.kind == .number, let text = value.text else { return nil }
    return Decimal(string: text) ?? DecimalNumber(text)?.decimal
  }

  /// The truth value; nil for what is none.
  public var bool: Bool? {
    switch value.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The date, as a Swift value or as a text in ISO 8601; nil for what is none.
  public var date: Date? {
    (value.native as? Date)
      ?? string.flatMap(ISODate.seconds).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The bytes, as a Swift value or as a text in Base64; nil for what is none.
  public var data: Data? { (value.native as? Data) ?? string.flatMap { Data(base64Encoded: $0) } }

  /// The UUID, as a Swift value or as a text; nil for what is none.
  public var uuid: UUID? { (value.native as? UUID) ?? string.flatMap(UUID.init(uuidString:)) }

  /// The URL, as a Swift value or as a text; nil for what is none.
  public var url: URL? { (value.native as? URL) ?? string.flatMap { URL(string: $0) } }

  /// The elements of an array; nil for what is none.
  public var array: [ImportSource]? {
    value.kind == .array ? value.elements.map(ImportSource.init) : nil
  }

  /// The names of an object in the order of the file; nil for what is none.
  public var names: [String]? { value.kind == .object ? value.members.map(\.name) : nil }

  /// What an object has under a name; nil where it has none.
  /// - Complexity: O(names).
  public subscript(name: String) -> ImportSource? {
    value.member(Array(name.utf8)).map(ImportSource.init)
  }

  /// An element of an array; nil beyond its end.
  /// - Complexity: O(elements).
  public subscript(index: Int) -> ImportSource? {
    let elements = value.elements
    return elements.indices.contains(index) ? ImportSource(elements[index]) : nil
  }

  /// What names with points between them lead to: `"address.city"`.
  public func value(at path: String) -> ImportSource? {
    if let whole = self[path] { return whole }
    var source: ImportSource? = self
    for name in path.split(separator: ".") { source = source?[String(name)] }
    return source
  }

  /// Decodes the value from its JSON, in which a Swift value stands as an encoder writes it.
  /// - Throws: What the decoder throws.
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(value.json(.decodable).utf8))
  }
}

extension ImportSource: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { value.json() }
}
