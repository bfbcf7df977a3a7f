import CauldronModel
import Foundation

extension ContextCore {
  /// Tells that a save begins; observers may still change objects.
  func postWillSave() {
    guard let handle else { return }
    NotificationCenter.default.post(
      name: ManagedObjectContext.willSaveObjectsNotification, object: handle)
  }

  /// Tells what a save handed on.
  func postDidSave(_ sets: [ChangeSet], _ run: SaveRun) {
    post(
      .didSave, sets, saveID: run.id,
      [
        (ManagedObjectContext.didSaveObjectsNotification, .objects),
        (ManagedObjectContext.didSaveObjectIDsNotification, .ids),
      ])
  }

  /// Tells what an event changed.
  func postDidChange(_ sets: [ChangeSet]) {
    post(
      .objectsDidChange, sets, saveID: 0,
      [(ManagedObjectContext.didChangeObjectsNotification, .objects)])
  }

  /// Tells what was taken in from others.
  func postDidMerge(_ sets: [ChangeSet]) {
    post(
      .didMerge, sets, saveID: 0,
      [
        (ManagedObjectContext.didChangeObjectsNotification, .objects),
        (ManagedObjectContext.didMergeChangesObjectIDsNotification, .ids),
      ])
  }

  private enum Content { case objects, ids }

  private func post(
    _ kind: ContextChange.Kind, _ sets: [ChangeSet], saveID: UInt64,
    _ names: [(Notification.Name, Content)]
  ) {
    guard !sets.isEmpty, let handle else { return }
    let change = ContextChange(
      kind: kind, contextName: name, saveID: saveID, source: ObjectIdentifier(self),
      storeNumber: coordinator.storeNumber, sets: sets)
    for (name, content) in names {
      NotificationCenter.default.post(
        name: name, object: handle, userInfo: userInfo(change, content, handle))
    }
    observers.tell(change)
  }

  private func userInfo(
    _ change: ContextChange, _ content: Content, _ handle: ManagedObjectContext
  ) -> [AnyHashable: Any] {
    typealias Key = ManagedObjectContext.NotificationKey
    let updated: @Sendable () -> [ManagedObjectID] = { change.updated }
    let isMerge = change.kind == .didMerge
    switch content {
    case .objects:
      return [
        Key.insertedObjects.rawValue: LazyObjects(handle) { change.inserted },
        (isMerge ? Key.refreshedObjects : .updatedObjects).rawValue: LazyObjects(handle, updated),
        Key.deletedObjects.rawValue: LazyObjects(handle) { change.deleted },
        Key.change.rawValue: change,
      ]
    case .ids:
      return [
        Key.insertedObjectIDs.rawValue: LazyIDs { change.inserted },
        (isMerge ? Key.refreshedObjectIDs : .updatedObjectIDs).rawValue: LazyIDs(updated),
        Key.deletedObjectIDs.rawValue: LazyIDs { change.deleted },
        Key.change.rawValue: change,
      ]
    }
  }
}
