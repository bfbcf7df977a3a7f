// error: main actor-isolated
import Cauldron

private func program() async throws {
  let people = try Person.findAll()
  print(people.count)
}
