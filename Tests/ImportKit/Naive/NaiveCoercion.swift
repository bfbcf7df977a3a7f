import CauldronImport
import CauldronModel
import Foundation

/// What an attribute makes of a piece of JSON.
struct NaiveCoercion {
  private let type: AttributeType
  private let formats: [ImportDateFormat]
  private let isLenient: Bool

  init(_ type: AttributeType, _ formats: [ImportDateFormat], _ mode: ImportMode) {
    self.type = type
    self.formats = formats
    isLenient = mode == .lenient
  }

  /// The value; nil where it cannot be one.
  func scalar(_ node: Node) -> AttributeScalar? {
    if node.isNull { return .null }
    if type == .transformable { return .blob(Data(Self.canonical(node).utf8)) }
    guard case .literal(let literal) = node else { return nil }
    switch type {
    case .integer16: return integer(literal, Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return integer(literal, Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return integer(literal, .min...(.max))
    case .boolean: return truth(literal).map { .integer($0 ? 1 : 0) }
    case .double: return number(literal).map { .real($0) }
    case .float: return number(literal).map { .real(Double(Float($0))) }
    case .decimal:
      return digits(literal).flatMap(decimal).map(\.scalar)
    case .string: return text(literal).map { .text($0) }
    case .date: return date(literal).map { .real($0) }
    default: return ofText(literal)
    }
  }

  private func ofText(_ literal: Literal) -> AttributeScalar? {
    guard literal.kind == .text else { return nil }
    switch type {
    case .binary: return Data(base64Encoded: literal.content).map { .blob($0) }
    case .uuid: return UUID(uuidString: literal.content)?.scalar
    case .uri: return literal.content.isEmpty ? nil : URL(string: literal.content)?.scalar
    default: return nil
    }
  }

  /// What can be taken for a number.
  private func digits(_ literal: Literal) -> String? {
    switch literal.kind {
    case .number: return literal.content
    case .truth: return isLenient ? (literal.content == "true" ? "1" : "0") : nil
    case .text:
      let trimmed = literal.content.trimmingCharacters(in: .whitespaces)
      let number = trimmed.wholeMatch(of: /(?:\+(?!-))?(-?[0-9]+(\.[0-9]+)?([eE][+\-]?[0-9]+)?)/)
      return isLenient ? number.map { String($0.1) } : nil
    }
  }

  private func number(_ literal: Literal) -> Double? { digits(literal).flatMap(Double.init) }

  private func integer(_ literal: Literal, _ range: ClosedRange<Int64>) -> AttributeScalar? {
    guard let digits = digits(literal), var number = Decimal(string: digits) else { return nil }
    var whole = Decimal()
    NSDecimalRound(&whole, &number, 0, number < 0 ? .up : .down)
    guard isLenient || whole == number, let integer = Int64("\(whole)"), range.contains(integer)
    else { return nil }
    return .integer(integer)
  }

  /// What a column keeps of a number: integers, and of others 15 digits.
  private func decimal(_ digits: String) -> Decimal? {
    guard let number = Decimal(string: digits) else { return nil }
    if Int64("\(number)") != nil { return number }
    let kept = Double(digits).flatMap { Decimal(string: String(format: "%.15g", $0)) }
    return isLenient || kept == number ? kept : nil
  }

  private func truth(_ literal: Literal) -> Bool? {
    if literal.kind == .truth { return literal.content == "true" }
    if !isLenient { return nil }
    if let number = number(literal) { return number != 0 }
    let words = ["yes": true, "no": false, "true": true, "false": false]
    return words[literal.content.lowercased()]
  }

  private func text(_ literal: Literal) -> String? {
    switch literal.kind {
    case .text: literal.content
    case .number: isLenient ? literal.content : nil
    case .truth: isLenient ? (literal.content == "true" ? "1" : "0") : nil
    }
  }

  private func date(_ literal: Literal) -> Double? {
    var formats = formats
    if formats.isEmpty { formats = [.iso8601] }
    if isLenient, formats == [.iso8601] { formats.append(.secondsSince1970) }
    for format in formats {
      if format == .iso8601 {
        if literal.kind == .text, let date = Self.dates[literal.content] { return date }
        continue
      }
      // A text is a number where somebody has named the form.
      let isNamed = isLenient && self.formats.contains(format)
      guard literal.kind == .number || isNamed && literal.kind == .text,
        let number = number(literal)
      else { continue }
      return (format == .secondsSince1970 ? number : number / 1_000) - 978_307_200
    }
    return nil
  }

  /// The dates that records have, in seconds since 2001.
  private static let dates: [String: Double] = [
    "2026-11-24": 817_171_200, "2026-11-24T08:00:00Z": 817_200_000,
    "2026-11-24T09:00:00+01:00": 817_200_000,
  ]
}

extension NaiveCoercion {
  /// JSON in the one form in which it is kept.
  private static func canonical(_ node: Node) -> String {
    switch node {
    case .null: return "null"
    case .literal(let literal):
      return literal.kind == .number ? number(literal.content) : literal.text
    case .array(let elements): return "[" + elements.map(canonical).joined(separator: ",") + "]"
    case .object(let members):
      let sorted = members.sorted { $0.name < $1.name }
      return "{" + sorted.map { "\"\($0.name)\":\(canonical($0.value))" }.joined(separator: ",")
        + "}"
    }
  }

  /// Digits without zeros at the ends, and an exponent.
  private static func number(_ content: String) -> String {
    let parts = content.split(separator: "e")
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let halves = parts[0].drop { $0 == "-" }.split(separator: ".")
    var digits = halves.joined()
    if halves.count > 1 { exponent -= halves[1].count }
    while digits.hasSuffix("0") {
      digits.removeLast()
      exponent += 1
    }
    digits = String(digits.drop { $0 == "0" })
    if digits.isEmpty { return "0" }
    return sign + digits + (exponent == 0 ? "" : "e\(exponent)")
  }
}
