// error: 'async' call in a function that does not support concurrency
import Cauldron

@MainActor
private func program(_ person: Person) throws {
  try person.save(toPersistentStore: true)
}
