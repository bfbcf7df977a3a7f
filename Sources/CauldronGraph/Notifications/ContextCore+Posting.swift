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
    guard !sets.isEmpty else { return }
    post(
      .didSave, sets, saveID: run.id,
      [
        ManagedObjectContext.didSaveObjectsNotification: .objects,
        ManagedObjectContext.didSaveObjectIDsNotification: .ids,
      ])
  }

  /// Tells what an event changed, refreshed, rolled back or reset.
  /// - Parameter forgotten: What is gone and not registered any more.
  func postDidChange(
    _ sets: [ChangeSet], _ parts: ChangeParts = ChangeParts(), forgotten: [ManagedObject] = []
  ) {
    guard !sets.isEmpty || !parts.isEmpty else { return }
    post(
      .objectsDidChange, sets, saveID: 0,
      [ManagedObjectContext.didChangeObjectsNotification: .objects], parts, forgotten)
  }

  /// Tells what was taken in from others.
  ///
  /// Objects have not changed where all that came are updates of what is not registered.
  func postDidMerge(_ sets: [ChangeSet], _ parts: ChangeParts) {
    guard !sets.isEmpty || !parts.isEmpty else { return }
    let ids = ManagedObjectContext.didMergeChangesObjectIDsNotification
    let isSeen =
      !parts.isEmpty
      || sets.contains { $0.entities.contains { !$0.inserted.isEmpty || !$0.deleted.isEmpty } }
    post(
      .didMerge, sets, saveID: 0,
      isSeen
        ? [ManagedObjectContext.didChangeObjectsNotification: .objects, ids: .ids] : [ids: .ids],
      parts)
  }

  private enum Content { case objects, ids }

  private func post(
    _ kind: ContextChange.Kind, _ sets: [ChangeSet], saveID: UInt64,
    _ names: KeyValuePairs<Notification.Name, Content>, _ parts: ChangeParts = ChangeParts(),
    _ forgotten: [ManagedObject] = []
  ) {
    guard let handle else { return }
    let change = ContextChange(kind, of: self, saveID: saveID, sets, parts)
    for (name, content) in names {
      NotificationCenter.default.post(
        name: name, object: handle, userInfo: userInfo(change, content, handle, forgotten))
    }
    observers.tell(change)
  }

  private func userInfo(
    _ change: ContextChange, _ content: Content, _ handle: ManagedObjectContext,
    _ forgotten: [ManagedObject]
  ) -> [AnyHashable: Any] {
    switch content {
    case .objects:
      let template = change.kind == .didMerge ? UserInfo.mergedObjects : UserInfo.objects
      return template.filled(change) { part in
        let ids = LazyIDs(change, part)
        // What a reset leaves behind has no objects.
        if part == .invalidatedAll { return ids }
        return LazyObjects(handle, ids, forgotten: part == .deleted ? forgotten : [])
      }
    case .ids:
      let template = change.kind == .didMerge ? UserInfo.mergedIDs : UserInfo.ids
      return template.filled(change) { LazyIDs(change, $0) }
    }
  }
}
