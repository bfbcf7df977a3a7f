public import CauldronModel
public import CauldronQuery
import CauldronStore

/// A property, and what a batch update sets it to.
///
/// ```swift
/// BatchAssignment("age", .expression(.arithmetic(.add, .property("age"), .value(.integer(1)))))
/// ```
/// `batchUpdate` with its closure is the usual way to make them.
public struct BatchAssignment: Sendable, Hashable {
  /// A new value.
  public enum NewValue: Sendable, Hashable {
    /// A value, or what is made of what the object was before.
    case expression(QueryExpression)
    /// The object that a to-one relationship leads to from now on; nil for none.
    case object(ManagedObjectID?)
  }

  /// The property's name.
  public let key: String
  /// What it is set to.
  public let value: NewValue

  /// Sets a property.
  public init(_ key: String, _ value: NewValue) {
    self.key = key
    self.value = value
  }
}

/// Resolves what a batch sets, and checks that it can be set by values alone.
struct BatchBinder {
  let entity: EntityLayout
  let storeNumber: Int32

  /// The assignments, the last one of each property.
  func bind(_ assignments: [BatchAssignment]) throws -> [BatchUpdate.Assignment] {
    var bound: [BatchUpdate.Assignment] = []
    for assignment in assignments {
      let new = try bind(assignment)
      bound.removeAll { $0.property.index == new.property.index }
      bound.append(new)
    }
    return bound
  }

  private func bind(_ assignment: BatchAssignment) throws -> BatchUpdate.Assignment {
    switch assignment.value {
    case .object(let id):
      let property = try reference(assignment.key, to: id)
      let value = BoundExpression.constant(id.map { .integer($0.key) } ?? .null)
      let target = id.flatMap { id in
        property.destination?.entity.family.first { $0.entity.number == id.entityNumber }?.entity
      }
      return BatchUpdate.Assignment(property, value, target: target)
    case .expression(let expression):
      let property = try attribute(assignment.key)
      let value = try expression.bound(to: entity, storeNumber: storeNumber)
      guard property.takes(value.kind) else {
        throw CauldronError.mismatch(
          entity, "\(property.name) cannot be set to \(expression)",
          hint: "It is \(property.attributeType?.displayName ?? "of another type").")
      }
      return BatchUpdate.Assignment(property, value)
    }
  }

  /// The attribute of a name, if it can be set.
  func attribute(_ name: String) throws -> PropertyLayout {
    let property = try PredicateNode.attribute(name, entity)
    if property.derivation != nil { throw CauldronError.derived(property, of: entity) }
    return property
  }

  /// The to-one relationship of a name, if a batch can set it to an object.
  func reference(_ name: String, to id: ManagedObjectID?) throws -> PropertyLayout {
    let property = try PredicateNode.property(name, entity)
    guard property.kind == .toOne, let destination = property.destination else {
      throw CauldronError.mismatch(
        entity, "\(name) is no to-one relationship; it cannot be set to an object")
    }
    let inverse = destination.entity.properties[destination.inverse]
    if inverse.kind == .toOne {
      throw unsupported(
        name, because: "it is one-to-one: another object's reference would change with it")
    }
    guard let id else { return property }
    if property.orderSlot != nil {
      throw unsupported(name, because: "\(destination.entity.name).\(inverse.name) has an order")
    }
    guard id.storeNumber == storeNumber, destination.entity.includes(id.entityNumber) else {
      throw CauldronError.mismatch(
        entity,
        "\(name) leads to a \(destination.entity.name) of the same store, which \(id) is not")
    }
    if id.key <= 0 { throw unsupported(name, because: "\(id) is not saved yet") }
    return property
  }

  private func unsupported(_ name: String, because why: String) -> CauldronError {
    .unsupported(
      entity, name, "a batch cannot set \(name), since \(why)", hint: "Set it on objects, and save."
    )
  }
}
