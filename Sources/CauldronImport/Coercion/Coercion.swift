import CauldronGraph
import CauldronModel
import Foundation

/// Makes what an attribute keeps from what a record has.
struct Coercion: Sendable {
  let type: AttributeType
  let mode: ImportMode
  let dates: [DateReader]
  private let readability: AttributeReadability?
  private let isDuration: Bool
  private let property: PropertyLayout

  init(
    _ attribute: AttributeDescription, _ property: PropertyLayout, _ mapping: AttributeImport,
    _ mode: ImportMode
  ) {
    type = attribute.type
    self.mode = mode
    self.property = property
    let formats = mapping.dateFormats.isEmpty ? DateReader.usual(mode) : mapping.dateFormats
    dates = attribute.type == .date ? formats.map(DateReader.init) : []
    readability = attribute.readability
    isDuration = attribute.type == .integer64 && attribute.unstorable != nil
  }

  /// The value that is kept; null for null.
  /// - Throws: What is wrong with it.
  func scalar(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
    let scalar = try read(value)
    if !scalar.isNull, let trouble = readability?.trouble(scalar) {
      throw Refusal(value, trouble.rawValue)
    }
    return scalar
  }

  private func read(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
    switch value.kind {
    case .null: return .null
    case .native: return try native(value)
    default: break
    }
    switch type {
    case .integer16, .integer32, .integer64: return .integer(try integer(value))
    case .boolean: return .integer(try truth(value) ? 1 : 0)
    case .double: return .real(try real(value, limit: .greatestFiniteMagnitude))
    case .float:
      let number = try real(value, limit: Double(Float.greatestFiniteMagnitude))
      return .real(Double(Float(number)))
    case .decimal: return try decimal(value).scalar
    case .string: return .text(try text(value))
    case .date: return .real(try date(value))
    case .binary: return .blob(try data(value))
    case .uuid: return try uuid(value).scalar
    case .uri: return try url(value).scalar
    case .transformable: return .blob(Data(value.json(isCanonical: true).utf8))
    }
  }

  private func native(_ value: JSONValue) throws(Refusal) -> AttributeScalar {
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
    let number: Int64
    if let exact = JSONNumber.integer(digits) {
      number = exact
    } else {
      guard let real = Double(digits), abs(real) < 9.2e18 else {
        throw Refusal(value, "is beyond what the attribute can hold")
      }
      guard mode == .lenient, JSONNumber.parts(digits).map({ $0.exponent < 0 }) == true else {
        throw Refusal(value, "is not an integer")
      }
      number = Int64(real)
    }
    if let range = type.integerRange, !range.contains(number) {
      throw Refusal(value, "is beyond what the attribute can hold")
    }
    return number
  }

  private func real(_ value: JSONValue, limit: Double) throws(Refusal) -> Double {
    guard let number = Double(try digits(value)), number.isFinite, abs(number) <= limit else {
      throw Refusal(value, "is beyond what the attribute can hold")
    }
    return number
  }

  private func decimal(_ value: JSONValue) throws(Refusal) -> Decimal {
    let digits = try digits(value)
    guard let number = Decimal(string: digits), !number.isNaN else {
      throw Refusal(value, "is beyond what the attribute can hold")
    }
    let written = JSONNumber.parts(digits)
    let kept = JSONNumber.parts("\(number)")
    guard mode == .lenient || written?.digits == kept?.digits else {
      throw Refusal(value, "has more digits than the attribute can hold")
    }
    return number
  }

  /// The digits of a number; where texts may be numbers, those of a text.
  private func digits(_ value: JSONValue) throws(Refusal) -> String {
    switch value.kind {
    case .number: return value.text ?? "0"
    case .string where mode == .lenient:
      let text = (value.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
      if Self.isNumber(digits) { return digits }
    case .true where mode == .lenient: return "1"
    case .false where mode == .lenient: return "0"
    default: break
    }
    throw Refusal(value, "is not \(type.noun)")
  }

  /// Whether all of a text is a number.
  private static func isNumber(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    if bytes.first == 0x2D { bytes.removeFirst() }
    guard let first = bytes.first, first &- 0x30 < 10 else { return false }
    var state: JSONNumberState? = first == 0x30 ? .whole : .whole
    for byte in bytes.dropFirst() { state = state?.next(byte) }
    return state?.isWhole == true
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
      if Self.isNumber(text), let number = Double(text) { return number != 0 }
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
      if let date = reader.date(value, mode) { return date }
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
  func isSame(_ new: AttributeScalar, _ old: AttributeScalar) -> Bool {
    switch (new, old) {
    case (.real(let new), .real(let old)) where type == .date:
      return dates.first?.isSame(new, old) ?? false
    case (.blob(let new), .blob(let old)) where type == .transformable:
      guard let a = JSONText.canonical(new), let b = JSONText.canonical(old) else { return false }
      return a == b
    case (.text(let new), .text(let old)) where type == .decimal:
      guard let a = Decimal.number(new), let b = Decimal.number(old) else { return false }
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
    case .transformable: "a value"
    }
  }
}
