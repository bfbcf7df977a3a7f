// error: 'async' call in a function that does not support concurrency
import Cauldron

let context = ManagedObjectContext.contextWithParent(.default)
try context.save(toPersistentStore: true)
