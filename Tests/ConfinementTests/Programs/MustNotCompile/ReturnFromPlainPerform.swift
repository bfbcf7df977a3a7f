// error: type 'Person' does not conform to the 'Sendable' protocol
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  let person = await context.perform { Person(context: context) }
  person.name = "jack"
}
