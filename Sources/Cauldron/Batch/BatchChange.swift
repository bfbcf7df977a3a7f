public import CauldronGraph
public import CauldronModel
import CauldronQuery
public import CauldronSave

/// What `$0` is in a batch update: the objects that are changed, all at once.
///
/// ```swift
/// try await Person.where(\.age > 99).batchUpdate { $0.isOld.set(true); $0.age.set($0.age + 1) }
/// ```
/// Each member is set to a value, or to what is made of what the object was before.
@dynamicMemberLookup
public final class BatchChange<Object: ManagedEntity> {
  /// What was set so far, in order.
  public private(set) var assignments: [BatchAssignment] = []

  init() {}

  /// An attribute.
  public subscript<Value: AttributeValue>(
    dynamicMember path: KeyPath<Object, Value>
  ) -> BatchField<Object, Value> { BatchField(self, KeyPathTable.name(of: path)) }

  /// An optional attribute.
  public subscript<Value: AttributeValue>(
    dynamicMember path: KeyPath<Object, Value?>
  ) -> OptionalBatchField<Object, Value> {
    OptionalBatchField(self, KeyPathTable.name(of: path))
  }

  /// An attribute that is an enumeration.
  public subscript<Value: RawRepresentable>(
    dynamicMember path: KeyPath<Object, Value>
  ) -> BatchCase<Object, Value> where Value.RawValue: AttributeValue {
    BatchCase(self, KeyPathTable.name(of: path))
  }

  /// An optional attribute that is an enumeration.
  public subscript<Value: RawRepresentable>(
    dynamicMember path: KeyPath<Object, Value?>
  ) -> BatchCase<Object, Value?> where Value.RawValue: AttributeValue {
    BatchCase(self, KeyPathTable.name(of: path))
  }

  /// A to-one relationship.
  public subscript<Destination: ManagedEntity>(
    dynamicMember path: KeyPath<Object, Destination?>
  ) -> BatchReference<Object, Destination> { BatchReference(self, KeyPathTable.name(of: path)) }

  func set(_ name: String, to value: BatchAssignment.NewValue) {
    assignments.append(BatchAssignment(name, value))
  }
}

/// An attribute in a batch update.
public struct BatchField<Object: ManagedEntity, Value: AttributeValue> {
  private let change: BatchChange<Object>
  private let name: String

  init(_ change: BatchChange<Object>, _ name: String) {
    self.change = change
    self.name = name
  }

  /// What the objects were before, to calculate with.
  public var before: QueryValue<Object, Value> {
    QueryValue(.property(PropertyPath(steps: [name])))
  }

  /// Sets a value, the same in all objects.
  public func set(_ value: Value) { change.set(name, to: .expression(.value(value.scalar))) }

  /// Sets what is made of what each object was before.
  public func set(_ value: QueryValue<Object, Value>) {
    change.set(name, to: .expression(value.expression))
  }

  /// Sets what another attribute was before.
  public func set(_ other: BatchField) { set(other.before) }
}

extension BatchField where Value == Bool {
  /// Sets whether a condition held of the object as it was before.
  public func set(_ condition: Where<Object>) {
    change.set(
      name, to: .expression(.conditional(condition.node, .value(.integer(1)), .value(.integer(0)))))
  }
}

/// An optional attribute in a batch update.
public struct OptionalBatchField<Object: ManagedEntity, Value: AttributeValue> {
  private let change: BatchChange<Object>
  private let name: String

  init(_ change: BatchChange<Object>, _ name: String) {
    self.change = change
    self.name = name
  }

  /// What the objects were before, to calculate with.
  public var before: QueryValue<Object, Value> {
    QueryValue(.property(PropertyPath(steps: [name])))
  }

  /// Sets a value, the same in all objects; nil for none.
  public func set(_ value: Value?) {
    change.set(name, to: .expression(.value(value.map(\.scalar) ?? .null)))
  }

  /// Sets what is made of what each object was before.
  public func set(_ value: QueryValue<Object, Value>) {
    change.set(name, to: .expression(value.expression))
  }

  /// Sets what another attribute was before.
  public func set(_ other: OptionalBatchField) { set(other.before) }

  /// Sets what another attribute was before.
  public func set(_ other: BatchField<Object, Value>) { set(other.before) }
}

/// An attribute that is an enumeration, in a batch update.
public struct BatchCase<Object: ManagedEntity, Value> {
  private let change: BatchChange<Object>
  private let name: String

  init(_ change: BatchChange<Object>, _ name: String) {
    self.change = change
    self.name = name
  }
}

extension BatchCase where Value: RawRepresentable, Value.RawValue: AttributeValue {
  /// Sets a value, the same in all objects.
  public func set(_ value: Value) {
    change.set(name, to: .expression(.value(value.rawValue.scalar)))
  }
}

extension BatchCase {
  /// Sets a value, the same in all objects; nil for none.
  public func set<Case: RawRepresentable>(_ value: Value)
  where Value == Case?, Case.RawValue: AttributeValue {
    change.set(name, to: .expression(.value(value.map(\.rawValue.scalar) ?? .null)))
  }
}

/// A to-one relationship in a batch update.
///
/// Its members are those of the objects that it led to before. Relationships that are one-to-one cannot
/// be set, since another object would change with them, nor can those into an order.
@dynamicMemberLookup
public struct BatchReference<Object: ManagedEntity, Destination: ManagedEntity> {
  private let change: BatchChange<Object>
  private let name: String

  init(_ change: BatchChange<Object>, _ name: String) {
    self.change = change
    self.name = name
  }

  /// Has all objects lead to another one, which must be saved, or nowhere: `$0.country.set(nil)`.
  public func set(_ object: Destination?) { set(object?.objectID) }

  /// Has all objects lead to the one with an ID, or nowhere.
  @_disfavoredOverload
  public func set(_ id: ManagedObjectID?) { change.set(name, to: .object(id)) }

  /// A value of what the relationship led to before.
  public subscript<Value: AttributeValue>(
    dynamicMember path: KeyPath<Destination, Value>
  ) -> QueryValue<Object, Value> { value(path) }

  /// A value of what the relationship led to before.
  public subscript<Value: AttributeValue>(
    dynamicMember path: KeyPath<Destination, Value?>
  ) -> QueryValue<Object, Value> { value(path) }

  private func value<Value: AttributeValue>(
    _ path: PartialKeyPath<Destination>
  ) -> QueryValue<Object, Value> {
    QueryValue(.property(PropertyPath(steps: [name, KeyPathTable.name(of: path)])))
  }
}

// The same operations as those of `QueryValue`; what comes of them is one.

/// An attribute in a batch update, to be calculated with as it was before.
public protocol BatchOperand<Root, Value> {
  /// The entity that is updated.
  associatedtype Root: ManagedEntity
  /// What the attribute keeps.
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

extension BatchOperand where Value: QueryNumber {
  /// The greatest whole number that is not above the number: -3 for -2.5.
  public var roundedDown: QueryValue<Root, Value> { before.roundedDown }
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
