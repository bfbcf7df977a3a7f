import Cauldron
import Foundation

/// Merges what other contexts save into the context that a list shows.
///
/// `mergeChanges(fromContextDidSave:)` has both guards built in; they stand here to be seen.
func observeSaves(
  for context: ManagedObjectContext, merged: @escaping @Sendable (LocalContext) -> Void
) {
  _ = NotificationCenter.default.addObserver(
    forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
  ) { notification in
    guard let saved = notification.object as? ManagedObjectContext,
      // Own saves are known already.
      saved !== context,
      // Another store's objects mean nothing here.
      saved.persistentStoreCoordinator === context.persistentStoreCoordinator,
      let change = notification.userInfo?["change"] as? ContextChange
    else { return }
    print("\(saved.name) has saved \(change.inserted.count) team")
    context.perform { local in
      local.context.mergeChanges(fromContextDidSave: change)
      merged(local)
    }
  }
}
