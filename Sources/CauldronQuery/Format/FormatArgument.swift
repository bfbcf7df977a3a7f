package import CauldronModel
import Foundation

/// An argument of a format string, or the value of a variable, as conditions take it.
enum FormatArgument {
  case scalar(AttributeScalar)
  case object(ManagedObjectID)
  case list([FormatArgument])
  /// Both ends of a closed range.
  case range(AttributeScalar, AttributeScalar)
  case expression(QueryExpression)

  /// - Returns: Nil for what no condition can be about.
  init?(_ value: Any?) {
    guard let value else {
      self = .scalar(.null)
      return
    }
    switch value {
    case let optional as any WrappedArgument: self.init(optional.wrapped)
    case let scalar as AttributeScalar: self = .scalar(scalar.normalized)
    case let attribute as any AttributeValue: self = .scalar(attribute.scalar.normalized)
    case let id as ManagedObjectID: self = .object(id)
    case let object as any FormatObject: self = .object(object.formatObjectID)
    case let many as any FormatObjects: self = .list(many.formatObjectIDs.map { .object($0) })
    case let path as PropertyPath: self = .expression(.property(path))
    case let expression as QueryExpression: self = .expression(expression)
    case let range as any ArgumentRange:
      guard case .scalar(let low)? = FormatArgument(range.ends.0),
        case .scalar(let high)? = FormatArgument(range.ends.1)
      else { return nil }
      self = .range(low, high)
    case is any RangeExpression, is NSNull: return nil
    default: self.init(other: value)
    }
  }

  private init?(other value: Any) {
    if let number = value as? any BinaryInteger {
      guard let whole = Int64(exactly: number) else { return nil }
      self = .scalar(.integer(whole))
    } else if let number = value as? any BinaryFloatingPoint {
      self.init(Double(number))
    } else if let text = value as? any StringProtocol {
      self.init(String(text))
    } else if let enumeration = value as? any RawRepresentable {
      self.init(raw: enumeration)
    } else if let list = value as? any Collection {
      self.init(list: list)
    } else {
      return nil
    }
  }

  private init?(raw value: some RawRepresentable) { self.init(value.rawValue) }

  private init?(list: some Collection) {
    var items: [FormatArgument] = []
    for element in list {
      guard let item = FormatArgument(element) else { return nil }
      items.append(item)
    }
    self = .list(items)
  }
}

/// What stands for an object in a condition.
package protocol FormatObject {
  var formatObjectID: ManagedObjectID { get }
}

/// What stands for several objects in a condition.
package protocol FormatObjects {
  var formatObjectIDs: [ManagedObjectID] { get }
}

/// An optional, whatever it holds.
private protocol WrappedArgument {
  var wrapped: Any? { get }
}

extension Optional: WrappedArgument {
  fileprivate var wrapped: Any? { map { $0 } }
}

private protocol ArgumentRange {
  var ends: (Any, Any) { get }
}

extension ClosedRange: ArgumentRange {
  fileprivate var ends: (Any, Any) { (lowerBound, upperBound) }
}

extension AttributeScalar {
  /// NaN is nil.
  fileprivate var normalized: AttributeScalar {
    if case .real(let number) = self, number.isNaN { .null } else { self }
  }
}
