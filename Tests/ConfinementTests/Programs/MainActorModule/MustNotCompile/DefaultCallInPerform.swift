// error: call to main actor-isolated static method 'create()' in a synchronous nonisolated context
import Cauldron

@Entity final class Note: ManagedObject {
  var text: String
}

func write(in context: ManagedObjectContext) {
  context.perform { _ in _ = Note.create() }
}
