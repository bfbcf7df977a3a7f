import CauldronGraph
import CauldronLedger
public import CauldronList
import CauldronModel
import Foundation

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
