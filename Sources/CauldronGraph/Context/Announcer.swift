import CauldronLedger
import CauldronModel
package import CauldronStore
import Foundation

/// Tells observers what happens in a context: notifications, closures, and observations of properties.
///
/// It owns the observers and the observed properties. The context's handle, which notifications carry, is
/// passed in; a context without one posts nothing.
package final class Announcer {
  package let observers = ContextObservers()
  /// What is observed of objects; nil where nobody has observed anything yet.
  @exclusivity(unchecked) private(set) var cells: ObservedCells?
  private let place: Place
  private let settings: SharedSettings
  private let event: EventState
  let registry: Registry

  init(place: Place, settings: SharedSettings, event: EventState, registry: Registry) {
    self.place = place
    self.settings = settings
    self.event = event
    self.registry = registry
  }

  // MARK: Notifications

  /// Tells that a save begins; observers may still change objects, and cannot save the context.
  package func postWillSave(in handle: ManagedObjectContext?) {
    guard let handle else { return }
    event.tellsOfSave = true
    defer { event.tellsOfSave = false }
    NotificationCenter.default.post(
      name: ManagedObjectContext.willSaveObjectsNotification, object: handle)
  }

  /// Tells what a save handed on.
  package func postDidSave(
    _ sets: [ChangeSet], saveID: UInt64, in handle: @autoclosure () -> ManagedObjectContext?
  ) {
    guard !sets.isEmpty, let handle = handle() else { return }
    post(change(.didSave, sets: sets, saveID: saveID), in: handle)
  }

  /// Tells what an event changed, refreshed, rolled back or reset.
  /// - Parameter forgotten: What is gone and not registered any more.
  func postDidChange(
    _ sets: [ChangeSet], parts: ChangeParts = ChangeParts(), forgotten: [ManagedObject] = [],
    in handle: @autoclosure () -> ManagedObjectContext?
  ) {
    guard !sets.isEmpty || !parts.isEmpty, let handle = handle() else { return }
    post(change(.objectsDidChange, sets: sets, parts: parts), in: handle, forgotten: forgotten)
  }

  /// Tells what was taken in from others.
  ///
  /// Objects have not changed where all that came are updates of what is not registered.
  func postDidMerge(
    _ sets: [ChangeSet], parts: ChangeParts, in handle: @autoclosure () -> ManagedObjectContext?
  ) {
    guard !sets.isEmpty || !parts.isEmpty, let handle = handle() else { return }
    let isSeen =
      !parts.isEmpty
      || sets.contains { $0.entities.contains { !$0.inserted.isEmpty || !$0.deleted.isEmpty } }
    post(change(.didMerge, sets: sets, parts: parts), in: handle, tellsOfObjects: isSeen)
  }

  private func change(
    _ kind: ContextChange.Kind, sets: [ChangeSet], parts: ChangeParts = ChangeParts(),
    saveID: UInt64 = 0
  ) -> ContextChange {
    ContextChange(kind, contextName: settings.name, place, saveID: saveID, sets, parts)
  }

  /// Posts the notifications of a change, and tells closures.
  /// - Parameter tellsOfObjects: Whether objects have changed; else the notification of IDs is the only one.
  private func post(
    _ change: ContextChange, in handle: ManagedObjectContext, tellsOfObjects: Bool = true,
    forgotten: [ManagedObject] = []
  ) {
    let center = NotificationCenter.default
    if tellsOfObjects {
      let source = LazyObjects.Source(handle, forgotten: forgotten)
      center.post(
        name: change.kind.notificationOfObjects, object: handle,
        userInfo: userInfo(of: change, source: source))
    }
    if let name = change.kind.notificationOfIDs {
      center.post(name: name, object: handle, userInfo: userInfo(change))
    }
    observers.tell(change)
  }

  private func userInfo(
    of change: ContextChange, source: LazyObjects.Source
  ) -> [AnyHashable: Any] {
    let template = change.kind == .didMerge ? UserInfo.mergedObjects : UserInfo.objects
    return template.filled(from: change) { part in
      let ids = LazyIDs(change, part)
      // What a reset leaves behind has no objects.
      return part == .invalidatedAll ? ids : LazyObjects(source, ids)
    }
  }

  private func userInfo(_ change: ContextChange) -> [AnyHashable: Any] {
    let template = change.kind == .didMerge ? UserInfo.mergedIDs : UserInfo.ids
    return template.filled(from: change) { LazyIDs(change, $0) }
  }

  // MARK: Observed properties

  /// Has the observation that runs now, if one does, be told of the next change of a property.
  ///
  /// The object's row was read: no notice comes of a row that was never read.
  func noteAccess(to index: Int, of object: ManagedObject) {
    let cells = cells ?? ObservedCells()
    self.cells = cells
    let isFirst = cells.access(object, at: index)
    if isFirst, cells.watch == nil, settings.isMerging {
      cells.watch = StoreLookout(place.coordinator)
    }
  }

  /// Tells observers of what has changed, but not while deletions are carried on: they shall find all
  /// of it done.
  func tellObservers() {
    guard let cells, !event.isPropagating else { return }
    cells.tell()
  }

  /// Has the observers of all to-many relationships told.
  func noteAllToMany() {
    for object in cells?.observed ?? [] { object.noteToMany() }
  }

  /// Has the observers of all objects told.
  func noteAllChanges() {
    for object in cells?.observed ?? [] { object.noteChanges() }
  }

  /// Has the observers of those to-many relationships told that changed references belong to.
  /// - Complexity: O(changed rows), at most some thousands, or O(observed objects).
  func noteReferences(_ changes: EntityChanges) {
    guard let cells, cells.count > 0 else { return }
    if !changes.deleted.isEmpty { noteLinked(changes.entity, in: cells) }
    for property in changes.entity.digest.toOnes {
      guard let end = property.destination,
        end.entity.properties[end.inverse].kind == .toMany
      else { continue }
      if changes.count > Self.reasonable {
        note(end, in: cells)
      } else {
        noteReferences(in: changes, through: property, to: end)
      }
    }
  }

  /// Of more rows nobody looks which objects they belong to.
  private static var reasonable: Int { 8_192 }

  private func noteReferences(
    in changes: EntityChanges, through property: PropertyLayout, to end: PropertyLayout.Destination
  ) {
    let root = end.entity.rootNumber
    changes.forEachReference(by: property) {
      registry.map.object($0, root: root)?.noteChange(of: end.inverse)
    }
  }

  /// Deleted objects may have had links of which nobody tells.
  private func noteLinked(_ entity: EntityLayout, in cells: ObservedCells) {
    for property in entity.digest.relationships where property.join != nil {
      if let end = property.destination { note(end, in: cells) }
    }
  }

  private func note(_ end: PropertyLayout.Destination, in cells: ObservedCells) {
    for object in cells.observed where object.layout.isKind(of: end.entity) {
      object.noteChange(of: end.inverse)
    }
  }
}

extension ContextChange.Kind {
  fileprivate var notificationOfObjects: Notification.Name {
    switch self {
    case .didSave: ManagedObjectContext.didSaveObjectsNotification
    case .objectsDidChange, .didMerge: ManagedObjectContext.didChangeObjectsNotification
    }
  }

  /// The notification that carries IDs, which follows; nil where there is none.
  fileprivate var notificationOfIDs: Notification.Name? {
    switch self {
    case .didSave: ManagedObjectContext.didSaveObjectIDsNotification
    case .didMerge: ManagedObjectContext.didMergeChangesObjectIDsNotification
    case .objectsDidChange: nil
    }
  }
}

/// Who wants to be told about a context's changes, as values.
package final class ContextObservers: Sendable {
  private struct State: Sendable {
    var next = 0
    var handlers: [Int: @Sendable (ContextChange) -> Void] = [:]
  }

  private let state = Locked(State())

  var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

  package func add(_ handler: @escaping @Sendable (ContextChange) -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
  }

  package func remove(_ number: Int) {
    let handler = state.withLock { $0.handlers.removeValue(forKey: number) }
    // Released here and not under the lock: with the closure may go what removes another one.
    withExtendedLifetime(handler) {}
  }

  /// Calls the observers in the order in which they came.
  func tell(_ change: ContextChange) {
    let handlers = state.withLock { state in
      state.handlers.isEmpty
        ? [] : state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(change) }
  }
}
