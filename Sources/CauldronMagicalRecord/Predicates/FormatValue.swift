import Cauldron
import Foundation

/// An argument of a format string as Cauldron takes it.
enum FormatValue {
  /// The Swift value that one of Foundation's objects stands for; nil for `NSNull`.
  static func plain(_ value: Any?) -> Any? {
    switch ScalarConversion.plain(value) {
    case let list as NSArray: list.map(plain)
    case let list as NSSet: list.map(plain)
    case let list as NSOrderedSet: list.map(plain)
    // Swift's own numbers can be cast to a number object, too.
    case let number? where type(of: number) is NSNumber.Type: plain(number as? NSNumber)
    case let value: value
    }
  }

  private static func plain(_ number: NSNumber?) -> Any? {
    guard let number else { return nil }
    if let decimal = number as? NSDecimalNumber { return decimal.decimalValue }
    if ["d", "f"].contains(String(cString: number.objCType)) { return number.doubleValue }
    return Int64(number.stringValue) ?? number.doubleValue
  }
}
