public import CCauldron
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

// A context lives as long as its handle; after that it is kept as long as somebody holds an unsaved
// object of it, and while it is kept a handle may be made anew.
extension Ownership {
  /// Ties the context to its handle; a confinement context belongs to the calling thread from now on.
  func adopt(_ context: ManagedObjectContext) {
    state.withLock {
      $0.handle = LapsingReference(context)
      if isConfined { $0.claim = .thread(Scheduler.thread) }
    }
  }

  /// The handle; nil once the context has ended.
  /// - Parameter make: Makes one where only an unsaved object keeps the context.
  func handle(or make: () -> ManagedObjectContext?) -> ManagedObjectContext? {
    let (known, made) = state.withLock { state -> (Known?, ManagedObjectContext?) in
      if let known = state.handle.retained { return (known, nil) }
      if state.isDetached { return (nil, nil) }
      guard let made = make() else { return (nil, nil) }
      state.handle = LapsingReference(made)
      kept.store(false, ordering: .relaxed)
      return (nil, made)
    }
    return known?.takeRetainedValue() ?? made
  }

  private typealias Known = Unmanaged<ManagedObjectContext>

  /// The handle, if an event has to be queued in which the context catches up; from then on until
  /// `beginCatchUp()` nobody else gets it.
  func handleForCatchUp() -> ManagedObjectContext? {
    let handle = state.withLock { state -> Unmanaged<ManagedObjectContext>? in
      guard !state.isDetached, !state.isCatchUpQueued, case .queue = state.effectiveClaim(kind),
        let handle = state.handle.retained
      else { return nil }
      state.isCatchUpQueued = true
      return handle
    }
    return handle?.takeRetainedValue()
  }

  /// The queued event begins: what arrives from now on may need another one.
  func beginCatchUp() { state.withLock { $0.isCatchUpQueued = false } }

  /// Notes that a handle goes away.
  /// - Returns: Whether the context has no other one, which may have been made for an object that
  ///   asked for its context.
  func letGo(of handle: ManagedObjectContext) -> Bool {
    state.withLock { state in
      guard state.handle.leads(to: handle) else { return false }
      state.handle.lapse()
      return true
    }
  }

  /// Sees to it that an event on the main queue ends, although nobody called `perform`.
  func queueEnd(of event: EventState) {
    guard !event.isEndQueued, let handle else { return }
    event.isEndQueued = true
    queue.async {
      let core = handle.core
      core.event.isEndQueued = false
      core.publisher.runEvent {}
      core.ownership.thread.clear()
    }
  }

  /// Whether the context has no handle and is kept for the sake of an unsaved object.
  var isKept: Bool { kept.load(ordering: .relaxed) }

  /// Runs what changes the lists of unsaved objects; while the context is kept no look at them comes
  /// between.
  @inline(__always)
  func changeLists(_ body: () -> Void) {
    if isKept { state.withLock { _ in body() } } else { body() }
  }

  /// What became of a context that was looked at.
  enum Fate { case unchanged, kept, ended }

  /// Decides in one step whether a context without a handle ends or is kept; the lists of unsaved
  /// objects are looked at with the lock held.
  /// - Parameters:
  ///   - isFirst: Whether its handle has only just gone, and another thread may be in the middle of
  ///     an edit that knows nothing of the lock.
  ///   - triesUntilHeld: How many unsaved objects were looked at until one was found that somebody
  ///     holds; nil for none.
  func endUnlessHeld(
    isFirst: Bool, hasUnsaved: () -> Bool, triesUntilHeld: () -> Int?
  ) -> Fate {
    state.withLock { state in
      guard !state.isDetached, !state.handle.isSet else { return .unchanged }
      guard hasUnsaved(), state.mustKeep(isFirst, triesUntilHeld: triesUntilHeld) else {
        state.isDetached = true
        return .ended
      }
      kept.store(true, ordering: .relaxed)
      // Whoever used it until now has to prove it again, and learns that it is kept.
      thread.clear()
      return .kept
    }
  }
}

extension Ownership.State {
  fileprivate mutating func mustKeep(_ isFirst: Bool, triesUntilHeld: () -> Int?) -> Bool {
    if isFirst, claim.isForeign { return true }
    if !isFirst, looksToSkip > 0 {
      looksToSkip -= 1
      return true
    }
    guard let tries = triesUntilHeld() else { return false }
    looksToSkip = tries / 64
    return true
  }
}

/// The thread that was last proven to own a context; none at first.
///
/// Read and written as an atomic, because each use of an object asks before anything is proven,
/// while another thread may look whether the context is still needed. Not one of Swift's own
/// atomics: to the optimizer their load may release any object, and every property access would
/// retain and release one.
@usableFromInline
struct OwningThread: ~Copyable {
  @usableFromInline let word: UnsafeMutablePointer<UInt>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  deinit { word.deallocate() }

  /// Whether it is the calling thread.
  @inlinable var isCurrent: Bool {
    @inline(__always) get { cauldron_is_thread(word) }
  }

  /// Notes that the calling thread was proven to own the context.
  func setCurrent() { set(Scheduler.thread) }

  /// Nobody owns the context, or has to prove it anew.
  func clear() { set(0) }

  /// The thread, to be put back by ``set(_:)`` after somebody else has used the context.
  var value: UInt { cauldron_load_word(word) }

  func set(_ value: UInt) { cauldron_store_word(word, value) }
}
