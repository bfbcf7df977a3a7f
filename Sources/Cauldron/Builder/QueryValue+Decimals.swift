import CauldronModel
public import Foundation

// Decimals are calculated with decimals and with integers: what comes of it is rounded as a column keeps it.

extension QueryValue where Value == Decimal {
  /// The sum, rounded as a column keeps it.
  public static func + (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.add, a.expression, b.expression))
  }

  /// The difference, rounded as a column keeps it.
  public static func - (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.subtract, a.expression, b.expression))
  }

  /// The product, rounded as a column keeps it.
  public static func * (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.multiply, a.expression, b.expression))
  }

  /// The quotient, rounded as a column keeps it; nil where the divisor is 0.
  public static func / (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.divide, a.expression, b.expression))
  }
}
