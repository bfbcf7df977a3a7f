// error: non-Sendable
import Cauldron
import Dispatch

private func program(_ context: ManagedObjectContext) async {
  await context.perform { context in
    let person = Person.create(in: context)
    DispatchQueue.global().async {
      person.name = "jack"
    }
  }
}
