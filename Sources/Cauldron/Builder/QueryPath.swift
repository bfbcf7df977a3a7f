public import CauldronGraph
public import CauldronModel
import CauldronQuery

/// An object in a condition, an order or a selection: what `$0` is there, or what relationships lead
/// to from it. Its members are the entity's properties.
///
/// ```swift
/// try Person.findAll(
///   where: { $0.employer.name == "Acme" && $0.skills.any { $0.level >= 3 } },
///   sortedBy: { $0.employer.name })
/// ```
/// A to-one relationship that leads nowhere makes everything behind it nil. A Bool is a condition by
/// itself. A member that is no stored property throws `query.unsupported` when the query is used.
@dynamicMemberLookup
public struct QueryPath<Root: ManagedEntity, Object: ManagedEntity>: Sendable {
  let steps: PropertyPath

  /// An attribute.
  public subscript<Value: AttributeValue>(
    dynamicMember path: KeyPath<Object, Value>
  ) -> QueryValue<Root, Value> { QueryValue(step(path)) }

  /// An optional attribute.
  public subscript<Value: AttributeValue>(
    dynamicMember path: KeyPath<Object, Value?>
  ) -> QueryValue<Root, Value> { QueryValue(step(path)) }

  /// An attribute that is an enumeration, by its raw value.
  public subscript<Value: RawRepresentable>(
    dynamicMember path: KeyPath<Object, Value>
  ) -> QueryEnumeration<Root, Value> where Value.RawValue: AttributeValue {
    QueryEnumeration(step(path))
  }

  /// An optional attribute that is an enumeration, by its raw value.
  public subscript<Value: RawRepresentable>(
    dynamicMember path: KeyPath<Object, Value?>
  ) -> QueryEnumeration<Root, Value> where Value.RawValue: AttributeValue {
    QueryEnumeration(step(path))
  }

  /// Whether an attribute is true.
  public subscript(dynamicMember path: KeyPath<Object, Bool>) -> Where<Root> {
    Where(.compare(steps.appending(KeyPathTable.name(of: path)), .equal, .integer(1)))
  }

  /// The object that a to-one relationship leads to.
  public subscript<Destination: ManagedEntity>(
    dynamicMember path: KeyPath<Object, Destination?>
  ) -> QueryPath<Root, Destination> { QueryPath<Root, Destination>(steps: extended(path)) }

  /// The objects of a to-many relationship.
  public subscript<Destination: ManagedEntity>(
    dynamicMember path: KeyPath<Object, ToMany<Destination>>
  ) -> QueryObjects<Root, Destination> { QueryObjects(path: extended(path)) }

  /// The objects of an ordered to-many relationship.
  public subscript<Destination: ManagedEntity>(
    dynamicMember path: KeyPath<Object, OrderedToMany<Destination>>
  ) -> QueryObjects<Root, Destination> { QueryObjects(path: extended(path)) }

  private func step(_ path: PartialKeyPath<Object>) -> QueryExpression {
    .property(extended(path))
  }

  private func extended(_ path: PartialKeyPath<Object>) -> PropertyPath {
    steps.appending(KeyPathTable.name(of: path))
  }
}

extension QueryPath {
  /// Holds where the path leads to an object; with nil, where it leads nowhere.
  public static func == (path: QueryPath, object: Object?) -> Where<Root> {
    guard let object else {
      return Where(path.steps.steps.isEmpty ? .constant(false) : .isNil(path.steps))
    }
    return path.isIn([object.objectID])
  }

  /// Holds where the path leads elsewhere, or nowhere; with nil, where it leads anywhere.
  public static func != (path: QueryPath, object: Object?) -> Where<Root> { !(path == object) }

  /// Holds where the path leads to one of several objects.
  public func isIn(_ objects: some Sequence<Object>) -> Where<Root> {
    isIn(objects.map(\.objectID))
  }

  /// Holds where the path leads to the object with one of several IDs.
  public func isIn(_ ids: some Sequence<ManagedObjectID>) -> Where<Root> {
    let ids = Array(ids)
    return Where(steps.steps.isEmpty ? .isSelf(ids) : .refersTo(steps, ids))
  }

  /// What `$0` is in a condition on the objects of an entity.
  static var root: QueryPath<Object, Object> { QueryPath<Object, Object>(steps: PropertyPath("")) }
}
