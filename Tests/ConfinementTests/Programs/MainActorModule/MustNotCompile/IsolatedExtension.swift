// error: call to main actor-isolated instance method 'shorten()' in a synchronous nonisolated context
import Cauldron

@Entity final class Note: ManagedObject {
  var text: String
}

extension Note {
  func shorten() { text = String(text.prefix(20)) }
}

func write(in context: ManagedObjectContext) {
  context.perform { local in Note.create(in: local).shorten() }
}
