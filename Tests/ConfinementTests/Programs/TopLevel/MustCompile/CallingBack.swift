import Cauldron
import Dispatch

try setupStack(storeURL: nil)
let context = ManagedObjectContext.contextWithParent(.default)
context.perform { context in Person.create(in: context).name = "jack" }
context.save(toPersistentStore: true) { didSave, _ in print(didSave) }
context.save(toPersistentStore: true, completion: nil)
try context.saveAndWait(toPersistentStore: true)
Stack.default.save { context in
  Person.create(in: context).name = "jill"
} completion: { didSave, _ in
  print(didSave)
}
dispatchMain()
