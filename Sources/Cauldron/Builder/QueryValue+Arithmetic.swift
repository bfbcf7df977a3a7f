import CauldronModel

// What is calculated with integers is wide enough for all results: see `QueryNumber`. A result beyond
// 64 bits becomes a Double, which a condition compares and a column of integers refuses.

extension QueryValue where Value: QueryNumber {
  /// The number without its sign.
  public var magnitude: QueryValue<Root, Value.Calculated> {
    QueryValue<Root, Value.Calculated>(.function(.absolute, expression))
  }

  /// The sum; of integers beyond 64 bits a Double.
  public static func + <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .add, b.expression) }

  /// The sum.
  public static func + <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .add, b.expression) }

  /// The sum; of integers beyond 64 bits a Double.
  public static func + (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .add, .value(b.scalar))
  }

  /// The sum; of integers beyond 64 bits a Double.
  public static func + (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .add, b.expression)
  }

  /// The difference; of integers beyond 64 bits a Double.
  public static func - <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .subtract, b.expression) }

  /// The difference.
  public static func - <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .subtract, b.expression) }

  /// The difference; of integers beyond 64 bits a Double.
  public static func - (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .subtract, .value(b.scalar))
  }

  /// The difference; of integers beyond 64 bits a Double.
  public static func - (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .subtract, b.expression)
  }

  /// The product; of integers beyond 64 bits a Double.
  public static func * <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .multiply, b.expression) }

  /// The product.
  public static func * <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .multiply, b.expression) }

  /// The product; of integers beyond 64 bits a Double.
  public static func * (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .multiply, .value(b.scalar))
  }

  /// The product; of integers beyond 64 bits a Double.
  public static func * (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .multiply, b.expression)
  }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .divide, b.expression) }

  /// The quotient; nil where the divisor is 0.
  public static func / <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .divide, b.expression) }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .divide, .value(b.scalar))
  }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .divide, b.expression)
  }
}

extension QueryValue where Value: QueryNumber & BinaryInteger {
  /// What division leaves; nil where the divisor is 0.
  public static func % (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .remainder, .value(b.scalar))
  }

  /// What division leaves; nil where the divisor is 0.
  public static func % <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .remainder, b.expression) }
}

private func calculated<Root: ManagedEntity, Value: AttributeValue>(
  _ a: QueryExpression, _ operation: QueryExpression.Arithmetic, _ b: QueryExpression
) -> QueryValue<Root, Value> { QueryValue(.arithmetic(operation, a, b)) }
