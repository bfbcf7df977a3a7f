public import CCauldron
public import Synchronization

/// The thread that was last proven to own a context; none at first.
///
/// Atomic, because whoever uses an object asks before anything is proven, while another thread may
/// look whether the context is still needed.
@usableFromInline
struct OwningThread: ~Copyable {
  @usableFromInline let thread = Atomic<UInt>(0)

  /// Whether it is the calling thread.
  @inlinable var isCurrent: Bool {
    @inline(__always) get { thread.load(ordering: .relaxed) == UInt(cauldron_thread_id()) }
  }

  /// Notes that the calling thread was proven to own the context.
  func setCurrent() { set(Scheduler.thread) }

  /// Nobody owns the context, or has to prove it anew.
  func clear() { set(0) }

  /// The thread, to be put back by ``set(_:)`` after somebody else has used the context.
  var value: UInt { thread.load(ordering: .relaxed) }

  func set(_ value: UInt) { thread.store(value, ordering: .relaxed) }
}
