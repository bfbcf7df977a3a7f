// error: no 'async' operations occur within 'await' expression
import Cauldron

let context = ManagedObjectContext.contextWithParent(.default)
await context.save(toPersistentStore: true) { didSave, _ in print(didSave) }
