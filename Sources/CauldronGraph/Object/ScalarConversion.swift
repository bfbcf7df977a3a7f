import CauldronArchive
package import CauldronModel
import Foundation

/// Turns a value of any type into what an attribute keeps, if it can be one of its values.
///
/// Foundation's objects count as the Swift values that they stand for.
package enum ScalarConversion {
  case scalar(AttributeScalar)
  case otherType
  case outOfRange

  package init(_ value: Any?, for attribute: PropertyLayout, _ type: AttributeType) {
    guard let value = Self.plain(value) else {
      self = .scalar(.null)
      return
    }
    switch type {
    case .integer16: self = Self.integer(value, width: Int16.self)
    case .integer32: self = Self.integer(value, width: Int32.self)
    case .integer64: self = Self.integer(value, width: Int64.self)
    case .boolean: self = Self.truth(value)
    case .double: self = Self.real(value, limit: .infinity)
    case .float:
      self = Self.real(value, limit: Double(Float.greatestFiniteMagnitude)).roundedToFloat
    case .decimal: self = Self.decimal(value)
    case .string, .date, .binary, .uuid, .uri: self = Self.other(value, as: type)
    case .transformable, .composite, .undefined:
      let scalar = TransformedCoding.scalar(plain: value, by: attribute.transformation)
      self = scalar.map { .scalar($0) } ?? .otherType
    }
    // As a setter does, which makes an optional number that is NaN nil.
    if !attribute.isRequired, isNaN(type) { self = .scalar(.null) }
  }

  /// The value without optionals around it, as a Swift value; nil for `nil` and `NSNull`.
  package static func plain(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if let optional = value as? any OptionalValue { return plain(optional.unwrapped) }
    guard type(of: value) is AnyClass else { return value }
    return switch value {
    case is NSNull: nil
    case let text as NSString: String(text)
    case let date as NSDate:
      Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case let data as NSData: Data(data)
    case let uuid as NSUUID: UUID(uuidString: uuid.uuidString)
    case let url as NSURL: url.absoluteURL
    default: value
    }
  }

  private static func integer<Width: FixedWidthInteger>(
    _ value: Any, width: Width.Type
  ) -> ScalarConversion {
    let exact: Width?
    if let number = number(value) {
      exact = integer(number).flatMap { Width(exactly: $0) }
    } else if let integer = value as? any BinaryInteger {
      exact = Width(exactly: integer)
    } else if let value = value as? any AttributeValue,
      type(of: value).attributeType == .integer64, case .integer(let integer) = value.scalar
    {
      // Such as a Duration, by its nanoseconds.
      exact = Width(exactly: integer)
    } else {
      return .otherType
    }
    return exact.map { .scalar(.integer(Int64($0))) } ?? .outOfRange
  }

  private static func truth(_ value: Any) -> ScalarConversion {
    if let number = number(value) {
      guard let integer = integer(number), 0...1 ~= integer else { return .outOfRange }
      return .scalar(.integer(integer))
    }
    return (value as? Bool).map { .scalar($0.scalar) } ?? .otherType
  }

  private static func real(_ value: Any, limit: Double) -> ScalarConversion {
    let real: Double
    switch value {
    case let value as any BinaryInteger: real = Double(value)
    case let value as Double where number(value) == nil: real = value
    case let value as Float where number(value) == nil: real = Double(value)
    default:
      guard let number = number(value) else { return .otherType }
      real = number.doubleValue
    }
    return real.isFinite && abs(real) > limit ? .outOfRange : .scalar(.real(real))
  }

  private static func decimal(_ value: Any) -> ScalarConversion {
    if let number = number(value) {
      if let decimal = (number as? NSDecimalNumber)?.decimalValue { return .scalar(decimal.scalar) }
      return DecimalNumber(number.stringValue).map { .scalar($0.decimal.scalar) } ?? .outOfRange
    }
    if let integer = value as? any BinaryInteger {
      return Decimal(string: "\(integer)").map { .scalar($0.scalar) } ?? .outOfRange
    }
    return (value as? Decimal).map { .scalar($0.scalar) } ?? .otherType
  }

  private static func other(_ value: Any, as type: AttributeType) -> ScalarConversion {
    guard number(value) == nil, let value = value as? any AttributeValue else { return .otherType }
    let found = Swift.type(of: value).attributeType
    return found == type ? .scalar(value.scalar) : .otherType
  }

  /// The value as a number object, if it is one: Swift's own numbers can be cast to one, too.
  private static func number(_ value: Any) -> NSNumber? {
    type(of: value) is NSNumber.Type ? value as? NSNumber : nil
  }

  /// The integer that a number object is; nil for a fraction, or beyond 64 bits.
  private static func integer(_ number: NSNumber) -> Int64? {
    let isFloating =
      !(number is NSDecimalNumber) && ["d", "f"].contains(String(cString: number.objCType))
    return isFloating ? Int64(exactly: number.doubleValue) : Int64(number.stringValue)
  }

  /// The number that a property of type Float shows.
  private var roundedToFloat: ScalarConversion {
    if case .scalar(.real(let value)) = self { .scalar(.real(Double(Float(value)))) } else { self }
  }

  private func isNaN(_ type: AttributeType) -> Bool {
    switch self {
    case .scalar(.real(let value)): value.isNaN
    case .scalar(.text("NaN")): type == .decimal
    default: false
    }
  }
}
