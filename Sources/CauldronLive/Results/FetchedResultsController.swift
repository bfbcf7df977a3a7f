public import CauldronGraph
import CauldronLedger
public import CauldronList
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

extension FetchedResultsController {
  /// The sections of the list; one where it is not divided.
  /// - Complexity: O(sections).
  public var sections: [FetchedResultsSection] { snapshot.sections }

  /// What stands for the sections in an index beside the list.
  public var sectionIndexTitles: [String] { sections.map(\.indexTitle) }

  /// The objects of the list; nil before the first fetch. An array that was taken stays as it was.
  /// - Complexity: O(*n*); prefer `object(at:)` for what is on screen.
  public var fetchedObjects: [Object]? {
    // Also before the first fetch: who observes the list is to be told of that, too.
    let count = snapshot.count
    return state.withLock({ $0.shown != nil }) ? objects(in: 0..<count) : nil
  }

  /// The object at a place in a section.
  ///
  /// Traps where there is no such place.
  /// - Complexity: O(log *n*); nothing is read.
  public func object(at path: ListPath) -> Object { object(at: snapshot.place(of: path)) }

  /// The object at a place in the whole list.
  ///
  /// Traps where there is no such place.
  /// - Complexity: O(log *n*); nothing is read.
  public func object(at place: Int) -> Object {
    guard let object = objects(in: place..<place + 1).first else {
      trap("The object at \(place) is no \(Object.self).")
    }
    return object
  }

  /// The objects at some places, in order.
  /// - Complexity: O(log *n*) and one for each place; nothing is read.
  public func objects(in places: Range<Int>) -> [Object] {
    managedObjectContext.prove()
    face.accessSnapshot()
    let core = managedObjectContext.core
    let (shown, feed) = state.withLock { ($0.shown, $0.feed) }
    let count = shown?.count ?? 0
    if places.upperBound > count || places.lowerBound < 0 {
      trap("The list of \(Object.self) has \(count) objects, and none at \(places.upperBound - 1).")
    }
    guard let shown, let feed else { return [] }
    // What was read before a change that its object has not met must not be shown by a new object.
    guard feed.list.isCurrent(shown) else {
      return current.objectIDs(in: places).compactMap { core.reader.object(with: $0) as? Object }
    }
    var rows = RowSet()
    shown.forEach(in: places) { rows.append($0.held) }
    let objects: [ManagedObject] = core.reader.objects(rows, refreshing: false)
    return objects.compactMap { $0 as? Object }
  }

  /// The objects of a section, in order; Core Data's `section.objects`.
  ///
  /// Traps where the list has no such places any more: take the section from ``sections``.
  /// - Complexity: As `objects(in:)` with places.
  public func objects(in section: FetchedResultsSection) -> [Object] { objects(in: section.places) }

  /// The object at a place in a section, as `object(at:)` gives it.
  public subscript(path: ListPath) -> Object { object(at: path) }

  /// The object at a place in a section, as `object(at:)` gives it.
  ///
  /// ```swift
  /// let person = list[section: 0, item: 3]
  /// ```
  public subscript(section section: Int, item item: Int) -> Object {
    object(at: ListPath(section: section, item: item))
  }

  /// The section of an object, and its place there; nil if it is not in the list.
  /// - Complexity: O(log *n*).
  public func path(forObject object: Object) -> ListPath? { snapshot.path(of: object.objectID) }

  /// The section of an object, and its place there; nil if it is not in the list.
  public func indexPath(forObject object: Object) -> ListPath? { path(forObject: object) }
}

extension LiveList {
  /// Whether a snapshot is what the context sees now.
  func isCurrent(_ snapshot: RowSnapshot) -> Bool {
    guard let reader = state.withLock({ $0.reader }), stepping.try() else { return false }
    defer { stepping.unlock() }
    guard let content, !content.isDoubtful, !content.isAhead,
      content.rows.snapshot.isIdentical(to: snapshot), content.plan.includesPendingChanges
    else { return false }
    return ledger.withLock {
      let path = uncheckedPath(content.plan)
      return ledger.journal.entries(reader, upTo: ledger.journal.end)
        .map { LiveNews($0, content.plan.watch, node, path, isAhead: false).isEmpty } ?? false
    }
  }
}
