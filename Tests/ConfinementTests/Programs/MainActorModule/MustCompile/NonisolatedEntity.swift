// Compiled with `-default-isolation MainActor`.
import Cauldron

@Entity nonisolated final class Memo: ManagedObject {
  var text: String
}

private func write(in context: ManagedObjectContext) {
  context.perform { local in Memo.create(in: local).text = "in the background" }
}

private func read() throws -> [String] {
  try Memo.findAll(sortedBy: \.text).map(\.text)
}
