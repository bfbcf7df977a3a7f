public import CauldronGraph
import CauldronList
import CauldronModel
import Foundation
public import Observation

/// A query in a context that stays right: it always shows what a fetch there would return.
///
/// ```swift
/// let list = FetchedResultsController(request, in: context, sectionBy: .firstLetter("name"))
/// list.delegate = self
/// try await list.performFetch()
/// print(list.sections.map(\.name), list.object(at: ListPath(section: 0, item: 0)).name)
/// ```
/// What is read, it reads in the background; of what changes it looks at the changed rows alone, whoever
/// has changed them. It belongs to the queue of its context, which its delegate is called on.
///
/// `@unchecked Sendable` because everything but `delegate` is behind a lock, and that belongs to the
/// context's queue.
public final class FetchedResultsController<Object: ManagedObject>: Observable, @unchecked Sendable
{
  /// The context whose fetch the list equals.
  public let managedObjectContext: ManagedObjectContext
  /// How the delegate is told.
  public let reporting: FetchedResultsReporting
  /// Who shows the list; not kept. Set it on the context's queue.
  public weak var delegate: (any FetchedResultsControllerDelegate<Object>)?
  let face = ListFace()
  let state: Locked<State>

  struct State {
    var request: FetchRequest<Object>
    var section: SectionKey<Object>?
    /// Nil until the first fetch.
    var feed: Feed?
    var shown: RowSnapshot?
    /// What the list was asked for since, by number, and what it shows.
    var plans: [Int: LivePlan] = [:]
    var shownPlan: LivePlan?
    /// What is wrong with the request that was set last; nil for nothing.
    var requestError: CauldronError?
    var observers: [Int: Observer] = [:]
    var lastObserver = 0
    /// Whether the log has said that the delegate is not told of reloads.
    var hasLoggedReload = false
  }

  /// The list behind it, and what it is told by.
  struct Feed {
    let list: LiveList
    let consumer: QueueConsumer
  }

  typealias Observer = (FetchedResultsSnapshot<Object>, FetchedResultsDifference) -> Void

  /// Makes a list; it is empty until ``performFetch()``.
  /// - Parameters:
  ///   - request: Which objects, in which order and window. Without an order they lie by their IDs.
  ///   - context: Where; kept.
  ///   - sectionBy: What divides the list; nothing by default.
  ///   - reporting: How the delegate is told; a call for each change by default.
  public init(
    _ request: FetchRequest<Object>, in context: ManagedObjectContext,
    sectionBy section: SectionKey<Object>? = nil, reporting: FetchedResultsReporting = .changes
  ) {
    managedObjectContext = context
    self.reporting = reporting
    state = Locked(State(request: request, section: section))
  }

  deinit {
    let feed = state.withLock { $0.feed }
    var shown = state.withLock { state in
      defer { (state.feed, state.shown) = (nil, nil) }
      return state.shown
    }
    feed?.consumer.end()
    LiveList.letGo(&shown)
  }

  /// What the list is of. Setting it has the list show another result as soon as that is whole; the old
  /// one stays until then. Of several that are set in a row only the last is shown. What is wrong with
  /// it goes to ``error`` and the delegate.
  public var fetchRequest: FetchRequest<Object> {
    get { state.withLock { $0.request } }
    set { ask(newValue) }
  }

  /// Why the list is not right, or not that of its request; nil while it is.
  public var error: (any Error)? {
    face.accessError()
    let (requestError, feed) = state.withLock { ($0.requestError, $0.feed) }
    return requestError ?? feed?.list.failure
  }

  /// What the list shows now.
  public var snapshot: FetchedResultsSnapshot<Object> {
    face.accessSnapshot()
    return current
  }

  var current: FetchedResultsSnapshot<Object> {
    let (shown, section) = state.withLock { ($0.shown, $0.section) }
    return FetchedResultsSnapshot(shown, managedObjectContext.core.coordinator, section?.section)
  }
}

/// What observers of a list observe.
///
/// It is not generic as the list is: a key path of a generic type is made anew at each use, which takes
/// longer than to tell somebody.
final class ListFace: Observable, Sendable {
  private let registrar = ObservationRegistrar()

  private var snapshot: Int { 0 }
  private var error: Int { 0 }

  func accessSnapshot() { registrar.access(self, keyPath: \.snapshot) }

  func accessError() { registrar.access(self, keyPath: \.error) }

  func changeSnapshot(_ body: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.snapshot, body)
  }

  func changeError() { registrar.withMutation(of: self, keyPath: \.error) {} }
}
