import Cauldron

private func program(_ context: ManagedObjectContext) async throws -> String {
  let id = await context.perform { context in
    Person.create(in: context).objectID
  }
  let names = try await context.perform { context in
    try Person.findAll(sortedBy: \.name, in: context).map(\.name)
  }
  let stream = AsyncStream<ManagedObjectID>.makeStream()
  stream.continuation.yield(id)
  return try await context.perform { context in
    try Person.find(id, in: context)?.employer?.name ?? names.joined()
  }
}
