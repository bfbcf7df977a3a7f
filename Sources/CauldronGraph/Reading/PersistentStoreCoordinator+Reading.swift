import CauldronLedger
import CauldronModel
import Dispatch
import Logging

/// How long a block may hold one view of the store.
package struct ReadLimits: Sendable {
  /// After how many seconds the log warns; nil for never.
  package let warning: Double?
  /// After how many seconds the view is given up; nil for never.
  package let most: Double?

  package init(warning: Double?, most: Double?) {
    self.warning = warning
    self.most = most
  }
}

extension PersistentStoreCoordinator {
  /// A context with a fixed view of the present commits; and the function that ends the view.
  ///
  /// It has a coordinator of its own, with a cache of its own, whose store is the fixed view. The
  /// view keeps the write-ahead log from being emptied, which is why its time is watched.
  /// - Parameter place: The line that asked.
  package func newReadContext(
    _ limits: ReadLimits, at place: String
  ) throws -> (context: ManagedObjectContext, finish: @Sendable () -> Void) {
    if isClosed { throw CauldronError.closed() }
    let pinned = try PinnedStore(store)
    openViews.add(pinned)
    // The store may have been closed between the two.
    if isClosed { pinned.finish(.closed()) }
    let coordinator = PersistentStoreCoordinator(reading: pinned, of: self)
    let watch = ReadWatch()
    if let seconds = limits.warning {
      let logger = logger
      watch.after(seconds) {
        logger.warning(
          "A read at \(place) holds its view of the store for \(seconds) s; the log grows meanwhile.",
          metadata: ["at": "\(place)"])
      }
    }
    if let seconds = limits.most {
      watch.after(seconds) { [weak pinned] in pinned?.finish(.readTooLong(seconds, at: place)) }
    }
    let context = ManagedObjectContext(.private, coordinator: coordinator, name: "Read")
    return (
      context,
      {
        watch.cancel()
        pinned.finish(.closed())
      }
    )
  }
}

/// Looks at the time while a block reads.
private final class ReadWatch: Sendable {
  private let timers = Locked<[any DispatchSourceTimer]>([])
  private static let queue = DispatchQueue(
    label: "cauldron.reads", qos: .utility, attributes: .concurrent)

  func after(_ seconds: Double, body: @escaping @Sendable () -> Void) {
    guard seconds >= 0, seconds < 1e9 else { return }
    let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.schedule(deadline: .now() + seconds)
    timer.setEventHandler(handler: body)
    timer.resume()
    timers.withLock { $0.append(timer) }
  }

  func cancel() {
    let all = timers.withLock { timers in
      defer { timers = [] }
      return timers
    }
    for timer in all { timer.cancel() }
  }
}

/// The views that blocks hold, which end with the store.
final class OpenViews: EndingAttachment {
  private struct View {
    weak var store: PinnedStore?
  }

  private let views = Locked<[View]>([])

  func add(_ store: PinnedStore) {
    views.withLock { views in
      views.removeAll { $0.store == nil }
      views.append(View(store: store))
    }
  }

  /// Gives all of them up, once the calls under way have ended.
  func end() {
    let open = views.withLock { views in
      defer { views = [] }
      return views.compactMap(\.store)
    }
    for store in open { store.finish(.closed()) }
  }
}

extension PersistentStoreCoordinator {
  /// The views of the store that blocks hold.
  var openViews: OpenViews { attachments.value { OpenViews() } }
}
