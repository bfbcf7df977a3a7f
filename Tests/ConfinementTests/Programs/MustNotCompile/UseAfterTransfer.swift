// error: risks causing data races
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  let person = Person.create(in: context)
  Task.detached {
    person.name = "jack"
  }
  person.name = "jill"
}
