import Cauldron
import Foundation

@Entity final class Person: ManagedObject {
  var name: String
}

let context = ManagedObjectContext.default
let observation = context.observe { change in
  if change.kind == .didSave { print(change.inserted, change.updated, change.deleted) }
}
let names = Task {
  for await change in context.changes where change.kind == .objectsDidChange {
    print(change.updated.map { ($0, change.changedProperties(of: $0)) })
  }
}

let token = NotificationCenter.default.addObserver(
  forName: ManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
) { notification in
  for person in notification.insertedObjects.compactMap({ $0 as? Person }) { print(person.name) }
  print(notification.deletedObjectIDs)
}

let sibling = ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
let merging = context.mergeSaves(of: sibling)
