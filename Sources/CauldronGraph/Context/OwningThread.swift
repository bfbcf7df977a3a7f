public import CCauldron
import CauldronLedger

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
