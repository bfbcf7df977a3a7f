import CauldronGraph
import CauldronModel
import Foundation

/// How exactly a value must be what its property keeps; the article `Importing` has the table.
public enum ImportMode: Sendable, Hashable {
  /// Texts are texts, numbers are numbers, and nothing is lost.
  case strict
  /// As MagicalRecord took values: numbers and truth values may be written as texts and texts as numbers,
  /// fractions are cut off, and a number is a date in seconds since 1970. What cannot be read is refused
  /// all the same.
  case lenient
}

/// Makes what an attribute keeps from what a record has.
///
/// A class, so that asking for one value after the other copies nothing.
final class Coercion: Sendable {
  let type: AttributeType
  let mode: ImportMode
  let dates: [DateReader]
  private let readability: AttributeReadability?
  private let unstorable: _Unstorable?
  private let property: PropertyLayout

  init(
    _ attribute: AttributeDescription, _ property: PropertyLayout, _ mapping: AttributeImport,
    _ mode: ImportMode
  ) {
    type = attribute.type
    self.mode = mode
    self.property = property
    dates = attribute.type == .date ? DateReader.readers(for: mapping.dateFormats, in: mode) : []
    readability = attribute.readability
    unstorable = attribute.unstorable
  }

  /// The value that is kept; null for null.
  /// - Throws: What is wrong with it.
  func scalar(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
    let scalar = try read(value)
    // Otherwise the save would fail, and with it all other records.
    if let unstorable, scalar == .integer(unstorable.slot) {
      throw Refusal(value, "cannot be kept: \(unstorable.reason)")
    }
    guard !scalar.isNull, let readability, let trouble = readability.trouble(scalar) else {
      return scalar
    }
    if let readable = readability.readable(scalar) { return readable }
    let reason = readability.reason(scalar).map { ": \($0)" } ?? ""
    throw Refusal(value, trouble.rawValue + reason)
  }

  private func read(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
    switch value.kind {
    case .null: return .null
    // Bytes are taken for the JSON that is kept.
    case .native where type != .transformable || value.native is Data: return try native(value)
    case .unusable: throw Refusal(value, "has no form in a record")
    default: break
    }
    switch type {
    case .integer16, .integer32, .integer64: return .integer(try integer(value))
    case .boolean: return .integer(try truth(value) ? 1 : 0)
    case .double: return .real(try real(value, limit: .greatestFiniteMagnitude))
    case .float:
      let number = try real(value, limit: Double(Float.greatestFiniteMagnitude))
      return .real(Double(Float(number)))
    case .decimal: return .text(try decimal(value).description)
    case .string: return .text(try text(value))
    case .date: return .real(try date(value))
    case .binary: return .blob(try data(value))
    case .uuid: return try uuid(value).scalar
    case .uri: return try url(value).scalar
    case .transformable, .composite, .undefined:
      if let name = value.repeatedName { throw Refusal(twice: name) }
      if let part = value.unusablePart {
        throw Refusal(.importValue, "\(part) has no form in a record")
      }
      return try transformable(value)
    }
  }

  /// JSON is kept as it is, unless the model names what makes bytes of values.
  private func transformable(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
    let json = Data(value.json(.canonical).utf8)
    if property.transformation == .untold { return .blob(json) }
    let plain = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    guard let plain, case .scalar(let scalar) = ScalarConversion(plain, for: property, type) else {
      throw Refusal(value, "is no value that its transformer takes")
    }
    return scalar
  }

  private func native(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
    if let date = value.native as? Date, !date.timeIntervalSinceReferenceDate.isFinite {
      throw Refusal(value, "is not a date")
    }
    if let native = value.native, let mark = Swift.type(of: native)._unstorable,
      native._slot == mark.slot
    {
      throw Refusal(value, "cannot be kept: \(mark.reason)")
    }
    switch ScalarConversion(value.native, for: property, type) {
    case .scalar(let scalar): return scalar
    case .outOfRange: throw Refusal(value, "is beyond what the attribute can hold")
    case .otherType: throw Refusal(value, "is not \(type.noun)")
    }
  }
}

extension Coercion {
  private func integer(_ value: JSONValue) throws(Refusal) -> Int64 {
    let digits = try digits(value)
    let exact = JSONNumber.integer(digits)
    if mode == .strict, exact == nil, JSONNumber.parts(digits).map({ $0.exponent < 0 }) == true {
      throw Refusal(value, "is not an integer")
    }
    guard let number = exact ?? JSONNumber.whole(digits),
      type.integerRange?.contains(number) ?? true
    else {
      throw Refusal(value, "is beyond what the attribute can hold")
    }
    return number
  }

  private func real(_ value: JSONValue, limit: Double) throws(Refusal) -> Double {
    guard let number = JSONNumber.real(try digits(value)), abs(number) <= limit,
      limit == .greatestFiniteMagnitude || number == 0 || Float(number) != 0
    else {
      throw Refusal(value, "is beyond what the attribute can hold")
    }
    return number
  }

  private func decimal(_ value: JSONValue) throws(Refusal) -> DecimalNumber {
    let digits = try digits(value)
    guard let kept = DecimalNumber(digits) else {
      throw Refusal(value, "is beyond what the attribute can hold")
    }
    // What is written has to be what a column keeps.
    let isWhole = JSONNumber.parts(digits)?.digits == JSONNumber.parts("\(kept)")?.digits
    guard mode == .lenient || isWhole else {
      throw Refusal(value, "has more digits than the attribute can hold")
    }
    return kept
  }

  /// The digits of a number; where texts may be numbers, those of a text.
  private func digits(_ value: JSONValue) throws(Refusal) -> String {
    switch value.kind {
    case .number: return value.text ?? "0"
    case .string where mode == .lenient:
      if let digits = JSONNumber.digits(value.text ?? "") { return digits }
    case .true where mode == .lenient: return "1"
    case .false where mode == .lenient: return "0"
    case .string where JSONNumber.digits(value.text ?? "") != nil:
      throw Refusal(value, "is not \(type.noun), but a text that lenient imports read as one")
    default: break
    }
    throw Refusal(value, "is not \(type.noun)")
  }

  private func truth(_ value: JSONValue) throws(Refusal) -> Bool {
    switch value.kind {
    case .true: return true
    case .false: return false
    case .number where mode == .lenient:
      if let number = value.text.flatMap(Double.init) { return number != 0 }
    case .string where mode == .lenient:
      let text = (value.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
      if ["true", "yes", "y", "t"].contains(text) { return true }
      if ["false", "no", "n", "f"].contains(text) { return false }
      if let number = JSONNumber.digits(text).flatMap(Double.init) { return number != 0 }
    default: break
    }
    throw Refusal(value, "is not true or false")
  }

  private func text(_ value: JSONValue) throws(Refusal) -> String {
    switch value.kind {
    case .string: return value.text ?? ""
    case .number where mode == .lenient: return value.text ?? ""
    case .true where mode == .lenient: return "1"
    case .false where mode == .lenient: return "0"
    default: throw Refusal(value, "is not a text")
    }
  }

  private func date(_ value: JSONValue) throws(Refusal) -> Double {
    for reader in dates {
      if let date = reader.date(value) { return date }
    }
    let form = dates.first.map { ", as \($0.name)" } ?? ""
    throw Refusal(value, "is not a date\(form)")
  }

  private func data(_ value: JSONValue) throws(Refusal) -> Data {
    guard value.kind == .string, let data = Data(base64Encoded: value.text ?? "") else {
      throw Refusal(value, "is not data in Base64")
    }
    return data
  }

  private func uuid(_ value: JSONValue) throws(Refusal) -> UUID {
    guard value.kind == .string, let uuid = UUID(uuidString: value.text ?? "") else {
      throw Refusal(value, "is not a UUID")
    }
    return uuid
  }

  private func url(_ value: JSONValue) throws(Refusal) -> URL {
    guard value.kind == .string, let text = value.text, !text.isEmpty, let url = URL(string: text)
    else { throw Refusal(value, "is not a URL") }
    return url
  }
}

extension Coercion {
  /// Whether a value that differs from that of the store says the same in the form in which it is written.
  func isSame(_ new: AttributeScalar, as old: AttributeScalar) -> Bool {
    switch (new, old) {
    case (.real(let new), .real(let old)) where type == .date:
      // By the finest of the forms: what one leaves out may be what another has read.
      return dates.allSatisfy { $0.isSame(new, as: old) }
    case (.blob(let new), .blob(let old)) where type == .transformable:
      guard let a = JSONText.canonical(new), let b = JSONText.canonical(old) else { return false }
      return a == b
    case (.text(let new), .text(let old)) where type == .decimal:
      guard let a = DecimalNumber(new), let b = DecimalNumber(old) else { return false }
      return a == b
    default: return false
    }
  }
}

extension AttributeType {
  /// What a value of the type is, for a sentence.
  var noun: String {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "a number"
    case .string: "a text"
    case .boolean: "true or false"
    case .date: "a date"
    case .binary: "data"
    case .uuid: "a UUID"
    case .uri: "a URL"
    case .transformable, .composite, .undefined: "a value"
    }
  }
}

extension Coercion {
  /// A value as JSON that is read as the same value; nil where there is none.
  /// - Parameter isKey: Whether an object is found by the value: a date counts with all its digits then.
  func text(_ scalar: AttributeScalar, isKey: Bool = false) -> String? {
    // What is written has to come back.
    texts(scalar).first { text in
      if type == .transformable { return true }
      guard let value = JSONText.value(text), let back = try? self.scalar(value) else {
        return false
      }
      return back == scalar || !(isKey && type == .date) && isSame(back, as: scalar)
    }
  }

  /// The texts that a value may have; of a date one in each form.
  private func texts(_ scalar: AttributeScalar) -> [String] {
    if case .real(let seconds) = scalar, type == .date {
      return dates.compactMap { $0.json(seconds) }
    }
    return [spelt(scalar)].compactMap(\.self)
  }

  private func spelt(_ scalar: AttributeScalar) -> String? {
    switch (scalar, type) {
    case (.null, _): "null"
    case (.integer(let value), .boolean): value == 0 ? "false" : "true"
    case (.integer(let value), _): "\(value)"
    case (.real(let value), .float): value.isFinite ? "\(Float(value))" : nil
    case (.real(let value), _): value.isFinite ? "\(value)" : nil
    case (.text(let text), .decimal): DecimalNumber(text) == nil ? nil : text
    case (.text(let text), _): JSONText.quoted(text)
    case (.blob(let data), .uuid): UUID(bytes: data).map { JSONText.quoted($0.uuidString) }
    case (.blob(let data), .transformable): JSONText.plain(data)
    case (.blob(let data), _): JSONText.quoted(data.base64EncodedString())
    }
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
    self.init(uuid: uuid)
  }
}

extension JSONText {
  /// The text of JSON in bytes on one line; nil where they are none.
  static func plain(_ data: Data) -> String? {
    String(validating: data, as: UTF8.self).flatMap(value)?.json()
  }

  /// The canonical text of JSON in bytes; nil where they are none.
  static func canonical(_ data: Data) -> String? {
    String(validating: data, as: UTF8.self).flatMap(value)?.json(.canonical)
  }
}

/// Why a value cannot be what its property keeps.
struct Refusal: Error {
  let code: CauldronError.Code
  /// The sentence, without its place.
  let reason: String
  /// What code of the class has thrown.
  var underlying: (any Error)?
  /// The pointer that leads on from the place that is known.
  var path = ""
  /// Whether that place is the record.
  var isPlaced = false

  /// - Parameter what: The end of a sentence that begins with the value.
  init(_ value: JSONValue, _ what: String) {
    code = .importValue
    reason = "\(Self.shown(value)) \(what)"
  }

  /// Of two values under one name it is not known which is meant.
  init(twice name: [UInt8]) { self.init(twice: String(decoding: name, as: UTF8.self)) }

  init(twice name: String) {
    self.init(.importDuplicateKey, "an object has \"\(name)\" twice")
  }

  init(_ code: CauldronError.Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// The same, seen from further out.
  func under(_ pointer: String) -> Refusal {
    var copy = self
    copy.path = pointer + path
    return copy
  }

  /// A value, cut off where it is long; a single letter can be, by its accents.
  private static func shown(_ value: JSONValue) -> String {
    switch value.kind {
    case .array: return "an array"
    case .object: return "an object"
    default:
      let text = value.json()
      let scalars = text.unicodeScalars
      return scalars.count <= 60 ? text : "\(String(scalars.prefix(57)))…"
    }
  }
}
