import CauldronLedger
import CauldronModel

/// The contexts above a context, whose running events are published before it reads or saves.
///
/// A change of a context is seen in a child before the context's event ends: a child publishes the
/// event before it reads or saves. It does so only on a thread that may use both contexts, so no
/// thread waits for another.
package struct Ancestors {
  private let place: Place

  init(_ place: Place) { self.place = place }

  /// Publishes what the running events of ancestors did, as a fetch in them would: deletions are carried
  /// on, and observers are told. Only of ancestors that the calling code has at hand.
  /// - Complexity: O(ancestors), without a lock, where there is nothing.
  @inline(__always)
  package func publish() {
    if areAwaited { publishNow { $0.publisher.publish() } }
  }

  /// Publishes what the running events of ancestors have created and edited. Deletions, notifications and
  /// hooks wait for the events' ends: reading a single object must change no other one.
  @inline(__always)
  func publishQuietly() {
    if areAwaited { publishNow { $0.publisher.publishQuietly() } }
  }

  @inline(__always)
  private var areAwaited: Bool {
    place.unretained.node._withUnsafeGuaranteedRef { $0.waitsForAncestors }
  }

  @inline(never)
  private func publishNow(_ publish: (ContextCore) -> Void) {
    if place.coordinator.has(.unseenEvents) { return }
    for ancestor in place.node.ancestors where ancestor.unpublished.value != 0 {
      guard let core = ancestor.core, core.ownership.isCallers,
        core.event.mayBePublishedEarly
      else { continue }
      let previous = core.ownership.thread.value
      core.ownership.thread.setCurrent()
      publish(core)
      core.ownership.thread.set(previous)
    }
  }
}
