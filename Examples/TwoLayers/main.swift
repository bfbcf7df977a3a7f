// Two layers: the main context on the store, and a private child of it for an edit session.
// The program tells after each step who knows the new name.
//
//   swift run TwoLayers

import Cauldron
import Logging

var configuration = StackConfiguration()
configuration.layout = .mainParent
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)
let main = stack.defaultContext

let person = Person.create()
person.name = "jack"
try main.save()
print("the store holds jack")

// An edit session: nobody sees the edit until it is saved.
let child = ManagedObjectContext.contextWithParent(main)
person.in(child).name = "jill"
report("the child has renamed jack to jill")

try child.save()
report("the child has saved: its parent knows, the store does not")

try main.save()
report("the main context has saved: the store knows")

// A child reads what its parent has not saved, but does not learn of later changes by itself.
person.name = "joe"
report("the main context has renamed jill to joe")

child.refresh(person.in(child), mergeChanges: true)
report("the child has read the person anew")

// A second session that is thrown away: there is nothing to roll back.
do {
  let session = ManagedObjectContext.contextWithParent(main)
  person.in(session).name = "nobody"
}
report("a session was thrown away")

try Stack.cleanUp()

/// Prints the name that each layer knows.
@MainActor func report(_ event: String) {
  // Ends the event: what the main context changed can be read by its child, and what the child has
  // saved arrives in its objects. A program with a run loop need not ask.
  main.processPendingChanges()
  print("\(event):")
  print("  child: \(person.in(child).name), main: \(person.name), store: \(storedName())")
}

/// The name in the store, seen by a context that has nothing else.
@MainActor func storedName() -> String {
  let reader = ManagedObjectContext(.private, coordinator: stack.coordinator)
  return person.in(reader).name
}
