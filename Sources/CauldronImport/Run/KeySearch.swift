import CauldronGraph
import CauldronModel

/// The values of one key that the store is asked for.
struct KeySearch {
  private let kind: Kind
  /// The values of one attribute.
  private var scalars: Set<AttributeScalar> = []
  /// The values of several attributes that are unique together.
  private var tuples: Set<[AttributeScalar]> = []
  private let scope: EntityLayout

  private enum Kind {
    case attribute(AttributePlan)
    case together(KeyPlan, UniqueKey)
  }

  /// - Parameter capacity: How many values there are at most.
  init(_ key: KeyPlan, capacity: Int) {
    scope = key.scope
    if let unique = key.unique, key.only == nil {
      kind = .together(key, unique)
      tuples.reserveCapacity(capacity)
    } else {
      kind = .attribute(key.parts[0])
      scalars.reserveCapacity(capacity)
    }
  }

  init(_ attribute: AttributePlan, in scope: EntityLayout) {
    kind = .attribute(attribute)
    self.scope = scope
  }

  var isEmpty: Bool { scalars.isEmpty && tuples.isEmpty }

  mutating func insert(_ value: KeyValue) {
    switch value {
    case .one(let scalar): scalars.insert(scalar)
    case .several(let all): tuples.insert(all)
    }
  }

  /// What has one of the values, and some other objects.
  func objects(
    in context: ManagedObjectContext
  ) throws -> (objects: [ManagedObject], look: ManagedObjectContext.Look) {
    switch kind {
    case .attribute(let attribute):
      try context.importedObjects(of: scope, by: scope.properties[attribute.index], values: scalars)
    case .together(_, let unique):
      try context.importedObjects(by: unique, of: scope, values: Array(tuples))
    }
  }

  /// The value that an object shows.
  func value(of object: ManagedObject) -> KeyValue {
    switch kind {
    case .attribute(let attribute):
      .one(object.importedScalar(at: attribute.index, storage: attribute.storage))
    case .together(let key, _): key.value(of: object)
    }
  }
}
