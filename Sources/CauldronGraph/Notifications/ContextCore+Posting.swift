import CauldronModel
import CauldronStore
import Foundation

extension ContextCore {
  /// Tells that a save begins; observers may still change objects, and cannot save the context.
  func postWillSave() {
    guard let handle else { return }
    event.tellsOfSave = true
    defer { event.tellsOfSave = false }
    NotificationCenter.default.post(
      name: ManagedObjectContext.willSaveObjectsNotification, object: handle)
  }

  /// Tells what a save handed on.
  func postDidSave(_ sets: [ChangeSet], _ run: SaveRun) {
    guard !sets.isEmpty else { return }
    post(
      .didSave, sets, saveID: run.id, objects: ManagedObjectContext.didSaveObjectsNotification,
      ids: ManagedObjectContext.didSaveObjectIDsNotification)
  }

  /// Tells what an event changed, refreshed, rolled back or reset.
  /// - Parameter forgotten: What is gone and not registered any more.
  func postDidChange(
    _ sets: [ChangeSet], _ parts: ChangeParts = ChangeParts(), forgotten: [ManagedObject] = []
  ) {
    guard !sets.isEmpty || !parts.isEmpty else { return }
    post(
      .objectsDidChange, sets, objects: ManagedObjectContext.didChangeObjectsNotification, parts,
      forgotten)
  }

  /// Tells what was taken in from others.
  ///
  /// Objects have not changed where all that came are updates of what is not registered.
  func postDidMerge(_ sets: [ChangeSet], _ parts: ChangeParts) {
    guard !sets.isEmpty || !parts.isEmpty else { return }
    let isSeen =
      !parts.isEmpty
      || sets.contains { $0.entities.contains { !$0.inserted.isEmpty || !$0.deleted.isEmpty } }
    post(
      .didMerge, sets,
      objects: isSeen ? ManagedObjectContext.didChangeObjectsNotification : nil,
      ids: ManagedObjectContext.didMergeChangesObjectIDsNotification, parts)
  }

  /// - Parameters:
  ///   - objects: The notification that carries objects.
  ///   - ids: The notification that carries IDs, which follows.
  private func post(
    _ kind: ContextChange.Kind, _ sets: [ChangeSet], saveID: UInt64 = 0,
    objects: Notification.Name? = nil, ids: Notification.Name? = nil,
    _ parts: ChangeParts = ChangeParts(), _ forgotten: [ManagedObject] = []
  ) {
    guard let handle else { return }
    let change = ContextChange(kind, of: self, saveID: saveID, sets, parts)
    let center = NotificationCenter.default
    if let objects {
      let source = LazyObjects.Source(handle, forgotten: forgotten)
      center.post(name: objects, object: handle, userInfo: userInfo(change, source))
    }
    if let ids { center.post(name: ids, object: handle, userInfo: userInfo(change)) }
    observers.tell(change)
  }

  private func userInfo(
    _ change: ContextChange, _ source: LazyObjects.Source
  ) -> [AnyHashable: Any] {
    let template = change.kind == .didMerge ? UserInfo.mergedObjects : UserInfo.objects
    return template.filled(change) { part in
      let ids = LazyIDs(change, part)
      // What a reset leaves behind has no objects.
      return part == .invalidatedAll ? ids : LazyObjects(source, ids)
    }
  }

  private func userInfo(_ change: ContextChange) -> [AnyHashable: Any] {
    let template = change.kind == .didMerge ? UserInfo.mergedIDs : UserInfo.ids
    return template.filled(change) { LazyIDs(change, $0) }
  }
}
