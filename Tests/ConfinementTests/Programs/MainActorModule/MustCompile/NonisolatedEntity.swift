// Compiled with `-default-isolation MainActor`.
import Cauldron

@Entity nonisolated final class Note: ManagedObject {
  var text: String
}

func write(in context: ManagedObjectContext) {
  context.perform { local in Note.create(in: local).text = "in the background" }
}

func read() throws -> [String] {
  try Note.findAll(sortedBy: \.text).map(\.text)
}
