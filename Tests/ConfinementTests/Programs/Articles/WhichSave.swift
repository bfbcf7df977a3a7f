import Cauldron
import Foundation

@Entity final class Person: ManagedObject {
  var name: String
}

let edits = ManagedObjectContext(.main, parent: .default, name: "Edit")
Person(context: edits).name = "jill"
try edits.save()  // the main context has it, the file has not
try await edits.save(toPersistentStore: true)  // on disk

let context = ManagedObjectContext.contextWithParent(.default)
context.save(toPersistentStore: true) { didSave, error in
  print("finish save")
  exit(error == nil ? 0 : 1)
}
dispatchMain()
