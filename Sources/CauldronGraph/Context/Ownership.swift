import CCauldron
package import CauldronLedger
import CauldronModel
import Synchronization

/// The thread, queue or task that may touch a context, and whether there is still a handle or an object by
/// which the program could.
///
/// It is the lowest part of a context beside its event. It is `@unchecked Sendable` because what changes is
/// atomic, or changes with the lock held.
@usableFromInline
package final class Ownership: @unchecked Sendable {
  @usableFromInline let thread = OwningThread()
  package let queue: ContextQueue
  package let kind: ManagedObjectContext.ConcurrencyType
  /// The context's node in the ledger, from which a new handle is made.
  private let node: LedgerNode?
  let state = Locked(State())
  /// Changes with the lock held; atomic, because whoever touches an object asks without it.
  let kept = Atomic(false)
  /// The thread that last ran work here; for messages, so nothing has to agree with it.
  private let lastUser = Atomic(0)

  /// What is decided in one step, on any thread.
  struct State {
    var handle = LapsingReference<ManagedObjectContext>()
    var claim = ContextClaim.open
    /// Whether an event is on its way in which the context catches up.
    var isCatchUpQueued = false
    /// Whether the context has ended, and nobody can use it any more.
    var isDetached = false
    /// How often a kept context is passed over, because the last look took long.
    var looksToSkip = 0
  }

  init(
    queue: ContextQueue, kind: ManagedObjectContext.ConcurrencyType, node: LedgerNode? = nil
  ) {
    self.queue = queue
    self.kind = kind
    self.node = node
  }

  /// The context; made anew where only an unsaved object keeps it; nil once it has ended.
  var handle: ManagedObjectContext? { handle { node?.core.map(ManagedObjectContext.init(of:)) } }

  /// Whether the calling thread was the last that was proven to own the context.
  @inlinable var isCurrent: Bool {
    @inline(__always) get { thread.isCurrent }
  }

  /// Whether the context belongs to the thread that made it.
  var isConfined: Bool { kind != .main && kind != .private }

  /// Why the calling code may use the context, or may not.
  enum Proof { case queue, claim, ended, foreign }

  /// Makes the calling thread the owner, if it has the queue, or the claim, or may claim the context.
  func prove() -> Proof {
    if state.withLock({ $0.isDetached }) { return .ended }
    if queue.isCurrent {
      thread.setCurrent()
      noteUser()
      return .queue
    }
    return kind != .main && claim() ? .claim : .foreign
  }

  /// Whether the calling code may use the context as it is.
  package var canRunHere: Bool {
    if queue.isCurrent { return true }
    guard kind != .main else { return false }
    return claim()
  }

  /// Notes that the calling thread runs work here.
  func noteUser() { lastUser.store(cauldron_kernel_thread_id(), ordering: .relaxed) }

  /// The thread that last ran work here, as the system's tools name it; 0 for none.
  var lastThread: Int { lastUser.load(ordering: .relaxed) }
}

/// A weak reference that still tells, in the `deinit` of its object, which object it led to.
///
/// The object calls ``lapse()`` there, with the lock held that guards the reference.
struct LapsingReference<Object: AnyObject> {
  private weak var object: Object?
  private var identifier: ObjectIdentifier?

  init() {}

  /// Leads to an object from now on.
  init(_ object: Object) {
    self.object = object
    identifier = ObjectIdentifier(object)
  }

  /// Forgets the object.
  mutating func lapse() { (object, identifier) = (nil, nil) }

  /// Whether `lapse()` has not been called since the object was set.
  var isSet: Bool { identifier != nil }

  func leads(to object: Object) -> Bool { identifier == ObjectIdentifier(object) }

  /// The object, retained; nil where it is on its way out, or gone.
  ///
  /// Take it over outside the lock: it may be the last reference by then, and the `deinit` that
  /// follows needs the lock.
  var retained: Unmanaged<Object>? { object.map(Unmanaged.passRetained) }
}
