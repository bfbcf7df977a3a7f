import Cauldron
import Foundation

@MainActor
private func program(_ url: URL) async throws {
  try setupStack(storeURL: url)

  let context = ManagedObjectContext.contextWithParent(.default)
  let person = Person.create(in: context)
  person.name = "jack"
  context.save(toPersistentStore: true) { didSave, error in print("finish save") }

  let adults = try Person.findAll(
    where: \.age >= 18 && .beginsWith(\.name, "j"), sortedBy: \.name)
  print(adults.map(\.name))
  try await Stack.default.save { context in Person.create(in: context).name = "jill" }
}
