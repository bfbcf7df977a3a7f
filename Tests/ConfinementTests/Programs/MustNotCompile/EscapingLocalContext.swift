// error: non-Sendable
import Cauldron
import Dispatch

private func program(_ context: ManagedObjectContext) {
  context.perform { context in
    DispatchQueue.global().async {
      _ = Person.create(in: context)
    }
  }
}
