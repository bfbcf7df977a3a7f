import Foundation

/// The order of two values of an attribute; nil is smaller than all.
enum ValueOrder {
  /// How two values lie to each other; values that have no order are the same.
  static func compare(_ first: Any?, _ second: Any?) -> ComparisonResult {
    switch (first, second) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let first as Bool, let second as Bool): order(first ? 1 : 0, second ? 1 : 0)
    case (let first as any Comparable, let second?): order(first, second)
    default: .orderedSame
    }
  }

  private static func order<Value: Comparable>(_ first: Value, _ other: Any) -> ComparisonResult {
    guard let second = other as? Value, first != second else { return .orderedSame }
    return first < second ? .orderedAscending : .orderedDescending
  }
}
