// error: Sendable
import Cauldron

private func program(_ stack: Stack) async throws {
  let person = try await stack.save { context in
    Person.create(in: context)
  }
  print(person)
}
