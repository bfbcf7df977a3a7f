public import CauldronGraph
public import CauldronModel
import CauldronSave

/// A new row of a batch, to be filled: its members are the entity's properties, with their defaults to
/// begin with.
///
/// ```swift
/// try await Person.batchInsert(0..<1_000) { row, index in
///   row.name = "person \(index)"
///   row.employer = acme                                           // a ManagedObjectID
/// }
/// ```
/// It is good for the call of the closure alone; kept, it is the row that was begun last.
@dynamicMemberLookup
public struct BatchRow<Object: ManagedEntity> {
  private let rows: BatchRows

  init(_ rows: BatchRows) { self.rows = rows }

  /// An attribute.
  public subscript<Value: AttributeValue>(dynamicMember path: KeyPath<Object, Value>) -> Value {
    get { Value.shown(for: rows.value(KeyPathTable.name(of: path))) }
    nonmutating set { rows.set(KeyPathTable.name(of: path), to: newValue.scalar) }
  }

  /// An attribute that is an enumeration; nil where it has no value yet.
  public subscript<Value: RawRepresentable>(
    dynamicMember path: KeyPath<Object, Value>
  ) -> Value? where Value.RawValue: AttributeValue {
    get { value(KeyPathTable.name(of: path)) }
    nonmutating set { set(KeyPathTable.name(of: path), to: newValue) }
  }

  /// An optional attribute that is an enumeration.
  public subscript<Value: RawRepresentable>(
    dynamicMember path: KeyPath<Object, Value?>
  ) -> Value? where Value.RawValue: AttributeValue {
    get { value(KeyPathTable.name(of: path)) }
    nonmutating set { set(KeyPathTable.name(of: path), to: newValue) }
  }

  /// The ID of the object that a to-one relationship leads to.
  public subscript<Destination: ManagedEntity>(
    dynamicMember path: KeyPath<Object, Destination?>
  ) -> ManagedObjectID? {
    get { rows.object(KeyPathTable.name(of: path)) }
    nonmutating set { rows.set(KeyPathTable.name(of: path), to: newValue) }
  }

  private func value<Value: RawRepresentable>(_ name: String) -> Value?
  where Value.RawValue: AttributeValue {
    let scalar = rows.value(name)
    return scalar.isNull ? nil : Value(rawValue: .shown(for: scalar))
  }

  private func set<Value: RawRepresentable>(_ name: String, to value: Value?)
  where Value.RawValue: AttributeValue {
    rows.set(name, to: value.map(\.rawValue.scalar) ?? .null)
  }
}
