// error: call to main actor-isolated static method 'create()' in a synchronous nonisolated context
import Cauldron

@Entity final class Memo: ManagedObject {
  var text: String
}

private func write(in context: ManagedObjectContext) {
  context.perform { _ in _ = Memo.create() }
}
