public import CauldronLedger
public import CauldronModel
import CauldronStore
public import Foundation
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

extension ManagedObjectContext {
  /// Whether the context keeps objects without changes although nobody else holds them; false by default.
  ///
  /// Otherwise they leave at the end of an event. A context that keeps them grows with all that is read.
  public var retainsRegisteredObjects: Bool {
    get { core.settings.withLock { $0.retainsObjects } }
    set { core.settings.setHabit { $0.retainsObjects = newValue } }
  }

  /// For how many seconds a row that the context has read for a fault serves other faults of it; negative,
  /// the default, for ever, 0 for not at all.
  ///
  /// It is about faults, and not about objects that show values. Commits of this process are always taken
  /// in, and so are those of others where lists or ``Stack`` watch the file; it is for programs that share
  /// a file and watch nothing. Of a row that somebody else has read the age is not known, so the first
  /// fault of it reads it again.
  public var stalenessInterval: TimeInterval {
    get { core.settings.withLock { $0.stalenessInterval } }
    set { core.settings.setHabit { $0.stalenessInterval = newValue } }
  }

  /// Whether an object whose row turns out to be missing counts as deleted and shows zero values; true by
  /// default.
  ///
  /// Where it is false, the object shows zero values, too, for a getter never fails; but it is not deleted,
  /// the error is logged, ``ManagedObject/load()`` throws it, and so does a save that would write the
  /// object.
  public var shouldDeleteInaccessibleFaults: Bool {
    get { core.settings.withLock { $0.deletesInaccessible } }
    set { core.settings.withLock { $0.deletesInaccessible = newValue } }
  }

  /// Returns once everything that was on the context's queue has run; at once on the queue itself.
  package func drain() {
    core.publisher.performAndWait {}
  }

  /// Ends the event if the caller owns the context, so that children see what was changed.
  package func publishIfCurrent() {
    guard core.ownership.isCallers else { return }
    processPendingChanges()
  }

  /// Takes in what arrived, if the caller is on the context's queue; in the middle of an event, too, as a
  /// save does.
  package func catchUpIfCurrent() {
    core.catchUp.runIfCurrent()
  }
}

extension ManagedObjectContext: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Class, address and name, as logs show them.
  ///
  /// The address stays the same for as long as the context exists, also where an unsaved object has
  /// kept it after its last reference.
  public var description: String { core.label.description }

  /// The same with the queue, the parent, and how many objects have changes that wait to be saved.
  public var debugDescription: String {
    "<\(core.label.name), \(core.label.queue), \(core.label.origin), \(core.label.unsavedCount) unsaved>"
  }

  /// What ``debugDescription`` tells, one child for each part.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "queue": core.label.queue, "parent": parent?.description ?? "store",
        "unsaved": core.label.unsavedCount,
      ], displayStyle: .class)
  }
}

extension ManagedObjectID: CustomDebugStringConvertible, CustomReflectable {
  /// The URI.
  public var debugDescription: String { description }

  /// Nothing but the URI, which a dump shows in one line.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A context as messages and logs name it, whether its handle exists or not.
package struct ContextLabel {
  let address: UInt
  let place: Place
  let kind: ManagedObjectContext.ConcurrencyType
  let settings: SharedSettings

  /// The context as logs show it.
  package var description: String { "<\(name)>" }

  var name: String {
    "ManagedObjectContext (0x\(String(address, radix: 16))): \(settings.name)"
  }

  var queue: String { kind == .main ? "main queue" : "private queue" }

  var origin: String { place.parent.map { "child of \($0.name)" } ?? "on the store" }

  /// The objects in the layers that wait here; may be asked on any thread.
  var unsavedCount: Int {
    place.coordinator.ledger.layers(of: place.node).reduce(0) { $0 + $1.changes.count }
  }
}
