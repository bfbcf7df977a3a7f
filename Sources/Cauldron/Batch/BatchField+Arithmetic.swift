public import CauldronModel

// The same operations as those of `QueryValue`; what comes of them is one.

/// An attribute in a batch update, to be calculated with as it was before.
public protocol BatchOperand<Root, Value> {
  associatedtype Root: ManagedEntity
  associatedtype Value: AttributeValue
  /// What the objects were before.
  var before: QueryValue<Root, Value> { get }
}

extension BatchField: BatchOperand {}
extension OptionalBatchField: BatchOperand {}

extension BatchOperand where Value: Numeric {
  /// The sum; beyond 64 bits a Double.
  public static func + (a: Self, b: Value) -> QueryValue<Root, Value> { a.before + b }

  /// The sum; beyond 64 bits a Double.
  public static func + (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { a.before + b.before }

  /// The difference; beyond 64 bits a Double.
  public static func - (a: Self, b: Value) -> QueryValue<Root, Value> { a.before - b }

  /// The difference; beyond 64 bits a Double.
  public static func - (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { a.before - b.before }

  /// The product; beyond 64 bits a Double.
  public static func * (a: Self, b: Value) -> QueryValue<Root, Value> { a.before * b }

  /// The product; beyond 64 bits a Double.
  public static func * (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { a.before * b.before }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: Self, b: Value) -> QueryValue<Root, Value> { a.before / b }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (
    a: Self, b: some BatchOperand<Root, Value>
  ) -> QueryValue<Root, Value> { a.before / b.before }
}

extension BatchOperand where Value: BinaryInteger {
  /// What division leaves; nil where the divisor is 0.
  public static func % (a: Self, b: Value) -> QueryValue<Root, Value> { a.before % b }
}

extension BatchOperand where Value == String {
  /// The text in small letters, by the root locale's rules.
  public var lowercased: QueryValue<Root, String> { before.lowercased }

  /// The text in large letters, by the root locale's rules.
  public var uppercased: QueryValue<Root, String> { before.uppercased }
}
