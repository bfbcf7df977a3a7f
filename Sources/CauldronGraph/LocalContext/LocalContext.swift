public import CauldronLedger
public import CauldronModel

/// A context inside one of its own blocks.
///
/// It is not Sendable, so neither it nor an object that was made or fetched with it can leave the
/// block: the compiler refuses. Carry object IDs instead.
public final class LocalContext {
  /// The context itself, which may be stored, but gives out objects that are checked at run time
  /// only.
  public let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// The name that logs and errors use.
  public var name: String { context.name }

  /// Whether there is anything to save.
  public var hasChanges: Bool { context.hasChanges }

  /// Creates an object of a class's entity; `create(in:)` is the usual way to call it.
  public func insertNewObject<Object: ManagedObject>(_ type: Object.Type) -> Object {
    context.insertNewObject(type)
  }

  /// Creates an object of an entity that is described by hand.
  /// - Throws: `model.unknownEntity`.
  public func insertNewObject(forEntityName name: String) throws -> ManagedObject {
    try context.insertNewObject(forEntityName: name)
  }

  /// The object with an ID; a fault if it is not registered, and nothing is read.
  public func object(with id: ManagedObjectID) -> ManagedObject { context.object(with: id) }

  /// Marks an object deleted.
  public func delete(_ object: ManagedObject) { object.delete() }

  /// Marks objects deleted.
  public func delete<Object: ManagedObject>(_ objects: some Sequence<Object>) {
    context.delete(objects)
  }

  /// Gives an object the newest row; see ``ManagedObjectContext/refresh(_:mergeChanges:)``.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    context.refresh(object, mergeChanges: mergeChanges)
  }

  /// Reads all registered objects anew; see ``ManagedObjectContext/refreshAllObjects()``.
  public func refreshAllObjects() { context.refreshAllObjects() }

  /// Ends the event now; see ``ManagedObjectContext/processPendingChanges()``.
  public func processPendingChanges() { context.processPendingChanges() }

  /// Runs a block that is saved when it has ended: until then `save()` only checks what was done.
  package func beforeSave<Value>(_ block: (LocalContext) throws -> Value) rethrows -> Value {
    context.core.settings.withLock { $0.savesAtEnd = true }
    defer { context.core.settings.withLock { $0.savesAtEnd = false } }
    return try block(self)
  }

  /// Drops all unsaved changes; see ``ManagedObjectContext/rollback()``.
  public func rollback() { context.rollback() }

  /// Forgets all objects and unsaved changes; see ``ManagedObjectContext/reset()``.
  public func reset() { context.reset() }

  /// What decides about conflicts; see ``ManagedObjectContext/mergePolicy``.
  public var mergePolicy: MergePolicy {
    get { context.mergePolicy }
    set { context.mergePolicy = newValue }
  }
}

@available(*, unavailable)
extension LocalContext: Sendable {}

extension ManagedEntity {
  /// Creates an object in the context of the running block; the same as `create(in:)`, and as
  /// ``ManagedObject/init(context:)`` elsewhere.
  public init(context: LocalContext) { self.init(context: context.context) }
}

extension LocalContext: CustomStringConvertible, CustomDebugStringConvertible {
  /// The context's description.
  public var description: String { context.description }

  /// The context's description with its queue, its parent and what waits to be saved.
  public var debugDescription: String { context.debugDescription }
}

extension ManagedObject {
  /// The same object in the context of the running block.
  public final func `in`(_ context: LocalContext) -> Self { self.in(context.context) }
}

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
