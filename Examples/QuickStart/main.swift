// One line sets up the stack; a child context on a background queue creates an object; its save
// goes up through the main context to the file, and the log tells on which thread each level saved.
//
//   swift run QuickStart [--keep]      --keep leaves the store where the last line says

import Cauldron
import Dispatch
import Foundation

// In a release build, too, where only failures are told by default.
Stack.logLevel = .info

let url = try scratchFile("people.sqlite")

try setupStack(storeURL: url)
DispatchQueue.global().async {
  let context = ManagedObjectContext.contextWithParent(.default)
  let person = Person.create(in: context)
  person.name = "jack"
  context.save(toPersistentStore: true) { didSave, error in
    print("finish save")
    readBack(url, didSave: didSave, error: error)
  }
}
dispatchMain()
