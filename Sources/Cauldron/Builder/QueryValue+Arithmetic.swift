import CauldronModel

extension QueryValue where Value: Numeric {
  /// The sum; beyond 64 bits a Double.
  public static func + (a: QueryValue, b: QueryValue) -> QueryValue { a.calculated(.add, b) }

  /// The sum; beyond 64 bits a Double.
  public static func + (a: QueryValue, b: Value) -> QueryValue { a.calculated(.add, b) }

  /// The difference; beyond 64 bits a Double.
  public static func - (a: QueryValue, b: QueryValue) -> QueryValue { a.calculated(.subtract, b) }

  /// The difference; beyond 64 bits a Double.
  public static func - (a: QueryValue, b: Value) -> QueryValue { a.calculated(.subtract, b) }

  /// The product; beyond 64 bits a Double.
  public static func * (a: QueryValue, b: QueryValue) -> QueryValue { a.calculated(.multiply, b) }

  /// The product; beyond 64 bits a Double.
  public static func * (a: QueryValue, b: Value) -> QueryValue { a.calculated(.multiply, b) }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: QueryValue, b: QueryValue) -> QueryValue { a.calculated(.divide, b) }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: QueryValue, b: Value) -> QueryValue { a.calculated(.divide, b) }

  /// The number without its sign.
  public var magnitude: QueryValue { QueryValue(.function(.absolute, expression)) }

  private func calculated(_ operation: QueryExpression.Arithmetic, _ b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(operation, expression, b.expression))
  }

  private func calculated(_ operation: QueryExpression.Arithmetic, _ b: Value) -> QueryValue {
    QueryValue(.arithmetic(operation, expression, .value(b.scalar)))
  }
}

extension QueryValue where Value: BinaryInteger {
  /// What division leaves; nil where the divisor is 0.
  public static func % (a: QueryValue, b: Value) -> QueryValue {
    QueryValue(.arithmetic(.remainder, a.expression, .value(b.scalar)))
  }

  /// What division leaves; nil where the divisor is 0.
  public static func % (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.remainder, a.expression, b.expression))
  }
}
