import Cauldron

private func work() {}
private func use(_ context: LocalContext) {}
private func number() throws -> Int { 1 }

private func inTasks(_ context: ManagedObjectContext) async throws {
  await context.perform {}
  await context.perform { work() }
  await context.perform(work)
  await context.perform(use)
  await context.perform { _ in }
  await context.perform { use($0) }
  await context.perform { (context: LocalContext) in use(context) }
  try await context.perform { try context.save() }
  try await context.perform { try $0.save() }
  let one = await context.perform { 1 }
  let two = try await context.perform { try number() }
  let count = try await context.perform(schedule: .enqueued) {
    Person(context: context).name = "jack"
    return try Person.count(in: context)
  }
  let name = try await context.perform(schedule: .enqueued) { local in
    try Person.findFirst(in: local)?.name
  }
  print(one + two + count, name ?? "")
}

private func onThreads(_ context: ManagedObjectContext) throws {
  context.perform {}
  context.perform { work() }
  context.perform(work)
  context.perform(use)
  context.perform { _ in }
  context.perform { use($0) }
  context.perform {
    let person = Person(context: context)
    person.name = "jack"
  }
  context.performAndWait {}
  context.performAndWait { work() }
  context.performAndWait(work)
  context.performAndWait { _ in }
  context.performAndWait { use($0) }
  try context.performAndWait { try context.save() }
  let one = context.performAndWait { 1 }
  let two = try context.performAndWait { try number() }
  let three = context.performAndWait { () -> Int in
    work()
    return 3
  }
  var changed = 0
  context.performAndWait { changed += one }
  let names = try context.performAndWait {
    let people = try Person.findAll(in: context)
    return people.map(\.name)
  }
  print(one + two + three + changed, names)
}

private actor Archive {
  private let context = ManagedObjectContext.contextWithParent(.default)

  func fill() async throws {
    await context.perform { [context] in Person(context: context).name = "jack" }
    try await context.perform { try self.context.save() }
  }
}
