import CauldronModel
import Foundation

/// `CAST(value, "NSDate")`: a constant in another type. What a property's type is, the model says.
enum FormatCast {
  private enum Target: String, CaseIterable {
    case date = "Date"
    case number = "Number"
    case double = "Double"
    case string = "String"
    case decimal = "Decimal"
    case data = "Data"
    case uuid = "UUID"
    case url = "URL"
    case object = "ObjectID"
  }

  private static let names = [
    "NSDate": Target.date, "NSNumber": .number, "NSString": .string, "NSDecimalNumber": .decimal,
    "NSData": .data, "NSUUID": .uuid, "NSURL": .url, "NSManagedObjectID": .object,
  ]

  static func cast(
    _ value: FormatOperand, to type: FormatOperand, at start: Int
  ) throws -> FormatOperand {
    guard case .text(let name)? = type.scalar else {
      throw FormatMistake("expected the name of a type in quotes", type.start)
    }
    guard let target = Target(rawValue: name) ?? names[name] else {
      let all = Target.allCases.map(\.rawValue) + names.keys.sorted()
      throw FormatMistake(
        "CAST knows no type \"\(name)\"", type.start, hint: Suggestion.hint(for: name, among: all))
    }
    guard let scalar = value.scalar else {
      // Dates are numbers of seconds, so that nothing has to be done.
      if target == .date || target == .number {
        return FormatOperand(.value(try value.expression()), depth: value.depth, start)
      }
      throw FormatMistake.meaningless(
        "a CAST to \(name) of what is no constant", at: start,
        hint: "Only dates and numbers are cast in a store.")
    }
    if scalar.isNull { return FormatOperand(.value(.value(.null)), start) }
    if target == .object, case .text(let text) = scalar {
      return FormatOperand(.object(try object(text, at: value.start)), start)
    }
    guard let result = convert(scalar, to: target) else {
      throw FormatMistake(
        "\(scalar.formatText) is no \(name)", value.start, code: .queryTypeMismatch)
    }
    return FormatOperand(.value(.value(result)), start)
  }

  private static func object(_ text: String, at start: Int) throws -> ManagedObjectID {
    do {
      guard let coding = IDCoding.current else { throw IDCoding.noStore }
      return try coding.read(text)
    } catch {
      throw FormatMistake(
        "\"\(text)\" is the URI of no object of an open store", start, code: .objectNotFound)
    }
  }

  private static func convert(_ scalar: AttributeScalar, to target: Target) -> AttributeScalar? {
    switch (target, scalar) {
    case (.date, .integer(let number)), (.double, .integer(let number)): .real(Double(number))
    case (.date, .real), (.double, .real), (.number, .real), (.number, .integer), (.string, .text),
      (.url, .text), (.data, .blob):
      scalar
    case (.date, .text(let text)): date(text).map { .real($0.timeIntervalSinceReferenceDate) }
    case (.double, .text(let text)), (.number, .text(let text)):
      Double(text).map { $0.isNaN ? .null : .real($0) }
    case (.string, .integer(let number)): .text("\(number)")
    case (.decimal, .integer(let number)): .text("\(number)")
    case (.decimal, .real(let number)):
      DecimalNumber("\(number)") == nil ? nil : .text("\(number)")
    case (.decimal, .text(let text)): DecimalNumber(text) == nil ? nil : .text(text)
    case (.data, .text(let text)): Data(base64Encoded: text).map { .blob($0) }
    case (.uuid, .text(let text)): UUID(uuidString: text)?.scalar
    default: nil
    }
  }

  /// A date by ISO 8601, of a day alone or with a time; without a zone it is Greenwich's.
  private static func date(_ text: String) -> Date? {
    let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
    let time = Date.ISO8601FormatStyle(timeZone: .gmt)
    let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
    for style in [time, precise] {
      if let date = try? style.parse(text) { return date }
    }
    return text.utf8.count == 10 ? try? day.parse(text) : nil
  }
}
