// error: unavailable from asynchronous contexts; use 'await perform(schedule: .immediate)'
import Cauldron

let context = ManagedObjectContext.contextWithParent(.default)
await context.perform { context in Person.create(in: context).name = "jack" }
