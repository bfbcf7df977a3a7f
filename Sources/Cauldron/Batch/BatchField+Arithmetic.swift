public import CauldronModel

// The same operations as those of `QueryValue`; what comes of them is one.

/// An attribute in a batch update, to be calculated with as it was before.
public protocol BatchOperand<Root, Value> {
  associatedtype Root: ManagedEntity
  associatedtype Value: AttributeValue
  /// What the objects were before.
  var before: QueryValue<Root, Value> { get }
  /// Sets what is made of what each object was before.
  func set(_ value: QueryValue<Root, Value>)
}

extension BatchField: BatchOperand {}
extension OptionalBatchField: BatchOperand {}

extension BatchOperand {
  /// What comes of two numbers is written to an attribute of their type, which a result has to fit.
  fileprivate static func calculated(
    _ a: Self, _ operation: QueryExpression.Arithmetic, _ b: QueryExpression
  ) -> QueryValue<Root, Value> {
    QueryValue(.arithmetic(operation, a.before.expression, b))
  }
}

extension BatchOperand where Value: Numeric {
  /// The sum; beyond 64 bits a Double.
  public static func + (a: Self, b: Value) -> QueryValue<Root, Value> {
    calculated(a, .add, .value(b.scalar))
  }

  /// The sum; beyond 64 bits a Double.
  public static func + (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { calculated(a, .add, b.before.expression) }

  /// The difference; beyond 64 bits a Double.
  public static func - (a: Self, b: Value) -> QueryValue<Root, Value> {
    calculated(a, .subtract, .value(b.scalar))
  }

  /// The difference; beyond 64 bits a Double.
  public static func - (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { calculated(a, .subtract, b.before.expression) }

  /// The product; beyond 64 bits a Double.
  public static func * (a: Self, b: Value) -> QueryValue<Root, Value> {
    calculated(a, .multiply, .value(b.scalar))
  }

  /// The product; beyond 64 bits a Double.
  public static func * (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { calculated(a, .multiply, b.before.expression) }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: Self, b: Value) -> QueryValue<Root, Value> {
    calculated(a, .divide, .value(b.scalar))
  }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { calculated(a, .divide, b.before.expression) }
}

extension BatchOperand where Value: BinaryInteger {
  /// What division leaves; nil where the divisor is 0.
  public static func % (a: Self, b: Value) -> QueryValue<Root, Value> {
    calculated(a, .remainder, .value(b.scalar))
  }
}

extension BatchOperand where Value == String {
  /// The text in small letters, by the root locale's rules.
  public var lowercased: QueryValue<Root, String> { before.lowercased }

  /// The text in large letters, by the root locale's rules.
  public var uppercased: QueryValue<Root, String> { before.uppercased }
}

// A result of several operations is of a wider type than the attribute; what does not fit refuses the
// batch.

extension BatchOperand where Value: QueryNumber & BinaryInteger {
  /// Sets what is calculated of what each object was before.
  @_disfavoredOverload
  public func set<Other: QueryNumber & BinaryInteger>(_ value: QueryValue<Root, Other>) {
    set(QueryValue<Root, Value>(value.expression))
  }
}

extension BatchOperand where Value: QueryNumber & BinaryFloatingPoint {
  /// Sets what is calculated of what each object was before.
  @_disfavoredOverload
  public func set<Other: QueryNumber>(_ value: QueryValue<Root, Other>) {
    set(QueryValue<Root, Value>(value.expression))
  }
}
