import Cauldron
import Foundation

try setupStack(storeURL: nil)
let context = ManagedObjectContext.contextWithParent(.default)
try await context.save(toPersistentStore: true)
let outcome: SaveOutcome = try await context.save(toPersistentStore: true)
let count = await context.perform(schedule: .immediate) { context in
  Person.create(in: context).name = "jack"
  return 1
}
try await context.perform { context in try context.save() }
try await Stack.default.save { context in Person.create(in: context).name = "jill" }
print(outcome, count)
