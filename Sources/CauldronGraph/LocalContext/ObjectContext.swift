public import CauldronModel

/// What fetches: a context, or the context of a running block.
public protocol ObjectContext {
  /// The objects that a request selects.
  func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object]
  /// The IDs of the objects that a request selects.
  func fetchObjectIDs<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> [ManagedObjectID]
  /// How many objects a request selects.
  func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int
  /// The lines of a value request; `select` and `grouped(by:)` are the usual ways to call it.
  func fetchValues<Object: ManagedObject>(
    _ request: ValueRequest<Object>
  ) throws -> [[AttributeScalar]]
  /// The object with an ID, its row read.
  func existingObject(with id: ManagedObjectID) throws -> ManagedObject
  /// The object of a class with values that are unique, found or created; `findOrCreate(_:_:in:)` is the
  /// usual way to call it.
  func findOrCreateObject<Object: ManagedObject>(
    _ type: Object.Type, _ values: [(name: String, value: AttributeScalar)]
  ) throws -> Object
  /// The context itself.
  var managedObjectContext: ManagedObjectContext { get }
}

extension ManagedObjectContext: ObjectContext {
  /// The context itself.
  public var managedObjectContext: ManagedObjectContext { self }
}

extension LocalContext: ObjectContext {
  /// The context itself; see ``context``.
  public var managedObjectContext: ManagedObjectContext { context }
}
