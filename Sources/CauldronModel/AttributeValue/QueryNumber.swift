public import Foundation

/// A number that queries calculate with, and what comes of it.
///
/// Sums and products of narrow integers are wider than the integers, so that none is cut off: those of
/// `Int16` and `Int32` are `Int`, those of `Float` are `Double`.
public protocol QueryNumber: AttributeValue, Numeric, Comparable {
  /// What sums, differences, products and quotients of such numbers are.
  associatedtype Calculated: QueryNumber where Calculated.Calculated == Calculated
}

extension Int: QueryNumber {
  public typealias Calculated = Int
}

extension Int64: QueryNumber {
  public typealias Calculated = Int64
}

extension Int32: QueryNumber {
  public typealias Calculated = Int
}

extension Int16: QueryNumber {
  public typealias Calculated = Int
}

extension Double: QueryNumber {
  public typealias Calculated = Double
}

extension Float: QueryNumber {
  public typealias Calculated = Double
}

extension Decimal: QueryNumber {
  public typealias Calculated = Decimal
}
