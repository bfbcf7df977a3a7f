// error: call to main actor-isolated instance method 'shorten()' in a synchronous nonisolated context
import Cauldron

@Entity final class Letter: ManagedObject {
  var text: String
}

extension Letter {
  func shorten() { text = String(text.prefix(20)) }
}

private func write(in context: ManagedObjectContext) {
  context.perform { local in Letter.create(in: local).shorten() }
}
