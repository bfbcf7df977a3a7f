public import CauldronGraph
import CauldronLedger
public import CauldronList
import CauldronModel
import Logging

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

// What happens on the context's queue when the list has changed.
extension FetchedResultsController {
  /// The list is in another state.
  func take(_ delivery: ListDelivery) {
    let isFirst = delivery.old == nil
    face.changeSnapshot {
      state.withLock { state in
        state.shown = delivery.new
        state.shownPlan = state.plans[delivery.version] ?? state.shownPlan
        state.plans = state.plans.filter { $0.key >= delivery.version }
      }
    }
    let snapshot = current
    for number in state.withLock({ $0.observers.keys.sorted() }) {
      // Unless one that was told before has ended it.
      state.withLock { $0.observers[number] }?(snapshot, delivery.difference)
    }
    guard let delegate, !isFirst else { return }
    switch reporting {
    case .snapshots:
      delegate.controller(
        self, didChangeContentWith: snapshot, difference: delivery.difference)
    case .changes: tell(delegate, delivery: delivery, snapshot: snapshot)
    }
  }

  func fail(_ error: CauldronError) {
    face.changeError()
    delegate?.controller(self, didFail: error)
  }

  /// Calls in the order that tables are used to: sections before objects, what goes from behind.
  private func tell(
    _ delegate: some FetchedResultsControllerDelegate<Object>, delivery: ListDelivery,
    snapshot: FetchedResultsSnapshot<Object>
  ) {
    let difference = delivery.difference
    delegate.controllerWillChangeContent(self)
    if difference.isReload {
      delegate.controllerDidReloadContent(self)
    } else {
      tellSections(delegate, delivery: delivery, snapshot: snapshot)
      tellObjects(delegate, difference: difference)
    }
    delegate.controllerDidChangeContent(self)
  }

  /// The delegate has no call for a change that is told as a whole.
  func logUnheardReload() {
    let isFirst = state.withLock { state in
      defer { state.hasLoggedReload = true }
      return !state.hasLoggedReload
    }
    guard isFirst else { return }
    managedObjectContext.core.coordinator.logger.notice(
      "A list of \(Object.self) was reloaded, which tells no single changes, and its delegate has no controllerDidReloadContent(_:).",
      metadata: ["context": "\(managedObjectContext.core.name)"])
  }

  private func tellSections(
    _ delegate: some FetchedResultsControllerDelegate<Object>, delivery: ListDelivery,
    snapshot: FetchedResultsSnapshot<Object>
  ) {
    let old = FetchedResultsSnapshot<Object>(
      delivery.old, snapshot.coordinator, snapshot.section)
    for number in delivery.difference.sectionDeletions.reversed() {
      let section = old.section(at: number)
      let empty = FetchedResultsSection(
        name: section.name, value: section.value,
        places: section.places.lowerBound..<section.places.lowerBound)
      delegate.controller(self, didChange: empty, atSectionIndex: number, for: .delete)
    }
    for number in delivery.difference.sectionInsertions {
      delegate.controller(
        self, didChange: snapshot.section(at: number), atSectionIndex: number, for: .insert)
    }
  }

  private func tellObjects(
    _ delegate: some FetchedResultsControllerDelegate<Object>,
    difference: FetchedResultsDifference
  ) {
    func tell(
      _ id: ManagedObjectID, at path: ListPath?, as type: FetchedResultsChangeType,
      to newPath: ListPath?
    ) {
      let core = managedObjectContext.core
      let gone = type == .delete ? core.registry.goneObject(id) : nil
      guard let object = (gone ?? core.reader.object(with: id)) as? Object else { return }
      delegate.controller(self, didChange: object, at: path, for: type, newPath: newPath)
    }
    for place in difference.deletions.reversed() {
      tell(place.objectID, at: place.path, as: .delete, to: nil)
    }
    for place in difference.insertions {
      tell(place.objectID, at: nil, as: .insert, to: place.path)
    }
    for step in difference.moves {
      tell(step.objectID, at: step.fromPath, as: .move, to: step.toPath)
    }
    for step in difference.updates {
      tell(step.objectID, at: step.fromPath, as: .update, to: step.toPath)
    }
  }
}

extension FetchedResultsController {
  /// Calls a closure with the list and with each change of it, on the context's queue.
  ///
  /// ```swift
  /// let token = list.observe { snapshot, difference in draw(snapshot, difference) }
  /// ```
  /// - Returns: The observation, which lasts as long as it is kept.
  public func observe(
    _ body: @escaping (FetchedResultsSnapshot<Object>, FetchedResultsDifference) -> Void
  ) -> FetchedResultsObservation {
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = body
      return state.lastObserver
    }
    return FetchedResultsObservation { [weak self] in
      // Released here and not under the lock: with the closure may go what ends another one.
      let body = self?.state.withLock { $0.observers.removeValue(forKey: number) }
      withExtendedLifetime(body) {}
    }
  }
}

/// Ends an observation of a list when it goes away, or is told to.
public final class FetchedResultsObservation: Sendable {
  private let onEnd: Locked<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { onEnd = Locked(end) }

  deinit { cancel() }

  /// Ends the observation.
  public func cancel() {
    let end = onEnd.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}
