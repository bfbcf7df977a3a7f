public import CauldronModel

/// What fetches: a context, or the context of a running block.
public protocol ObjectContext {
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

extension ObjectContext {
  /// The objects that a request selects; see ``ManagedObjectContext/fetch(_:)``.
  public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
    try managedObjectContext.fetch(request)
  }

  /// The IDs of the objects that a request selects; see ``ManagedObjectContext/fetchObjectIDs(_:)``.
  public func fetchObjectIDs<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> [ManagedObjectID] {
    try managedObjectContext.fetchObjectIDs(request)
  }

  /// How many objects a request selects; see ``ManagedObjectContext/count(for:)``.
  public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
    try managedObjectContext.count(for: request)
  }

  /// The lines of a value request; `select` and `grouped(by:)` are the usual ways to call it. See
  /// ``ManagedObjectContext/fetchValues(_:)``.
  public func fetchValues<Object: ManagedObject>(
    _ request: ValueRequest<Object>
  ) throws -> [[AttributeScalar]] {
    try managedObjectContext.fetchValues(request)
  }

  /// The object with an ID, its row read.
  /// - Throws: `object.notFound`, `store.…`.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    try managedObjectContext.existingObject(with: id)
  }

  /// Fetches without making objects; see ``ManagedObjectContext/fetchResult(_:)``.
  public func fetchResult<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedResult<Object> {
    try managedObjectContext.fetchResult(request)
  }

  /// The objects, read a batch at a time; see ``ManagedObjectContext/fetchBatches(_:)``.
  public func fetchBatches<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedBatches<Object> {
    try managedObjectContext.fetchBatches(request)
  }

  /// The objects of a result; see ``ManagedObjectContext/objects(of:)``.
  public func objects<Object: ManagedObject>(
    of result: FetchedResult<Object>
  ) -> FetchedObjects<Object> {
    managedObjectContext.objects(of: result)
  }
}

extension ManagedObjectContext {
  /// The object of a class with values that are unique, found or created; `findOrCreate(_:_:in:)` is the
  /// usual way to call it.
  /// - Throws: `query.…`, `store.…`.
  package func findOrCreateObject<Object: ManagedObject>(
    _ type: Object.Type, _ values: [(name: String, value: AttributeScalar)]
  ) throws -> Object {
    prove()
    let object = try core.finder.findOrCreate(core.registry.layout(of: type), with: values)
    guard let object = object as? Object else {
      throw CauldronError(
        .queryTypeMismatch,
        "Cannot find or create \(type): the object is a \(Swift.type(of: object)).")
    }
    return object
  }
}
