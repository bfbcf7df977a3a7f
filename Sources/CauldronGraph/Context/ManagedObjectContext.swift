public import CauldronLedger
import CauldronModel
public import Logging

/// A scratch pad of live objects, confined to one queue.
///
/// A context's parent is the store's coordinator or another context. Saving hands its changes to
/// the parent; they reach the file when the context on the coordinator saves. A context that goes
/// away takes its own unsaved edits with it, which is how an edit session is thrown away; it stays
/// as long as the program holds the context, or an object of it with unsaved changes.
///
/// ```swift
/// let context = ManagedObjectContext.contextWithParent(.default)
/// let person = Person.create(in: context)
/// person.name = "jack"
/// context.save(toPersistentStore: true) { didSave, error in … }
/// ```
/// The handle is Sendable; what it gives out is not, and each use is checked at run time.
public final class ManagedObjectContext: Sendable {
  /// Where a context's work runs.
  public enum ConcurrencyType: Sendable {
    /// On the stack's main queue.
    case main
    /// On a queue of the context's own.
    case `private`
    /// On the thread that makes the context, and nowhere else.
    @available(*, deprecated, message: "use .private and perform(_:)")
    case confinement
  }

  package let core: ContextCore

  /// Makes a context directly on a store's coordinator.
  public init(
    _ type: ConcurrencyType, coordinator: PersistentStoreCoordinator,
    name: String = "Untitled Context"
  ) {
    core = ContextCore(coordinator: coordinator, parent: nil, kind: type, name: name)
    core.ownership.adopt(self)
  }

  /// Makes a context whose saves go to another context.
  public init(
    _ type: ConcurrencyType, parent: ManagedObjectContext, name: String = "Untitled Context"
  ) {
    core = ContextCore(
      coordinator: parent.core.coordinator, parent: parent, kind: type, name: name)
    core.ownership.adopt(self)
  }

  /// Makes a context anew of what only an unsaved object has kept; the core ties itself to it.
  init(of core: ContextCore) { self.core = core }

  deinit { core.letGo(of: self) }

  /// Makes a private context whose saves go to `parent`, and logs that it did.
  ///
  /// The context belongs to the thread or task that first touches it, until its first `perform`.
  public static func contextWithParent(_ parent: ManagedObjectContext) -> ManagedObjectContext {
    let context = ManagedObjectContext(.private, parent: parent)
    parent.core.coordinator.logger.info(
      "Created new private queue context: \(context)", metadata: ["parent": "\(parent.name)"])
    return context
  }

  /// The name that logs and errors use; "Untitled Context" by default.
  public var name: String {
    get { core.name }
    set { core.settings.withLock { $0.name = newValue } }
  }

  /// Where the context's work runs.
  public var concurrencyType: ConcurrencyType { core.ownership.kind }

  /// The context that saves go to; nil for a context on the coordinator.
  public var parent: ManagedObjectContext? { core.parent }

  /// The coordinator at the end of the chain.
  public var persistentStoreCoordinator: PersistentStoreCoordinator { core.coordinator }

  /// Where the context reports what it does.
  public var logger: Logger { core.coordinator.logger }
}
