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
