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

let saves = NotificationCenter.default.addObserver(
  forName: ManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
) { notification in
  guard let change = notification.contextChange else { return }
  Task { await sibling.perform { local in local.context.mergeChanges(fromContextDidSave: change) } }
}

@MainActor final class Changes {
  private(set) var ids: Set<ManagedObjectID> = []
  private var observation: ContextObservation?

  func begin(_ context: ManagedObjectContext) {
    observation = context.observe { [weak self] change in
      MainActor.assumeIsolated { self?.ids.formUnion(change.updated) }
    }
  }

  func names(in context: ManagedObjectContext) -> [String] {
    ids.compactMap { context.registeredObject(for: $0) as? Person }.map(\.name)
  }
}
