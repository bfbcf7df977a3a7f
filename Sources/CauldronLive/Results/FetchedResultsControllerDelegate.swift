public import CauldronGraph
public import CauldronList

/// Who shows the list of a ``FetchedResultsController``; all of its calls do nothing by default.
///
/// ```swift
/// extension Board: @MainActor FetchedResultsControllerDelegate {
///   func controller(
///     _ controller: FetchedResultsController<Person>, didChange object: Person,
///     at path: ListPath?, for type: FetchedResultsChangeType, newPath: ListPath?
///   ) { … }
/// }
/// ```
/// The calls come on the queue of the controller's context, in this order: will change, sections,
/// objects, did change. During them the controller shows the new state. Take old places away from
/// behind, then put new ones in from the front.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  /// What the list is of.
  associatedtype Object: ManagedObject

  /// The calls for a change begin.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

  /// A section came or went.
  /// - Parameter number: The section's number: the old one of one that went, the new one of another.
  func controller(
    _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsSection,
    atSectionIndex number: Int, for type: FetchedResultsChangeType)

  /// An object came, went, moved, or changed in its place.
  /// - Parameters:
  ///   - path: The old place; nil for an object that came.
  ///   - newPath: The new place; nil for one that went.
  func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at path: ListPath?, for type: FetchedResultsChangeType, newPath: ListPath?)

  /// So much has changed, or the order is another, that no single changes are told: draw everything anew.
  ///
  /// A delegate without it misses such changes, unless it draws all of the list when the calls have ended;
  /// the log says so once for each list.
  func controllerDidReloadContent(_ controller: FetchedResultsController<Object>)

  /// The calls for a change have ended.
  func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)

  /// The list has changed. Called instead of all calls above where the controller reports
  /// ``FetchedResultsReporting/snapshots``.
  func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith snapshot: FetchedResultsSnapshot<Object>,
    difference: FetchedResultsDifference)

  /// The list could not be made right; it stays as it is, and the next change has it tried again.
  func controller(
    _ controller: FetchedResultsController<Object>, didFail error: any Error)
}

extension FetchedResultsControllerDelegate {
  public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

  public func controller(
    _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsSection,
    atSectionIndex number: Int, for type: FetchedResultsChangeType
  ) {}

  public func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at path: ListPath?, for type: FetchedResultsChangeType, newPath: ListPath?
  ) {}

  public func controllerDidReloadContent(_ controller: FetchedResultsController<Object>) {
    controller.logUnheardReload()
  }

  public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}

  public func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith snapshot: FetchedResultsSnapshot<Object>,
    difference: FetchedResultsDifference
  ) {}

  public func controller(
    _ controller: FetchedResultsController<Object>, didFail error: any Error
  ) {}
}

/// What has become of an object or a section.
public enum FetchedResultsChangeType: Sendable, Hashable {
  /// It came.
  case insert
  /// It went.
  case delete
  /// It is at another place, and has changed; no update tells of it again.
  case move
  /// It has changed, and others have not overtaken it.
  case update
}

/// How a ``FetchedResultsController`` tells its delegate.
public enum FetchedResultsReporting: Sendable, Hashable {
  /// A call for each change.
  case changes
  /// One call with all of it.
  case snapshots
}
