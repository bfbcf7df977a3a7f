import Cauldron
import Dispatch
import TestSupport
import Testing

/// What a task does in the main context is seen by the work that it awaits next.
@Suite(.againstHanging) @MainActor struct AwaitedOrderTests {
  private let bench: Bench
  private var main: ManagedObjectContext { bench.mainContext }

  init() throws { bench = try Bench { $0.mainQueue = .main } }

  @Test func `await perform of a child sees what was done before it`() async throws {
    for number in 1...20 {
      let person = Person.named("\(number)", in: main)
      let id = person.objectID
      let child = bench.child("Private", of: main)
      let found = try await child.perform { local in
        let copy = try #require(try Person.find(id, in: local))
        copy.age += number
        try local.save()
        return copy.name
      }
      #expect(found == "\(number)" && person.name == found)
      #expect(person.age == number)
    }
  }

  @Test func `await save of a child sees what was done before it`() async throws {
    let company = Company.named("acme", in: main)
    let child = ManagedObjectContext(.main, parent: main, name: "Sheet")
    let person = Person.create(in: child)
    person.name = "a"
    person.employer = company.in(child)
    company.rating = 3
    try await child.save(toPersistentStore: true)
    #expect(company.employees.map(\.name) == ["a"])
    let committed = bench.committed()
    #expect(try Company.findFirst(in: committed)?.rating == 3)
    #expect(try Company.findFirst(in: committed)?.employees.count == 1)
  }

  @Test func `an awaited save block of the context sees what was done before it`() async throws {
    let person = Person.named("a", in: main)
    let id = person.objectID
    try await main.save { local in try #require(try Person.find(id, in: local)).age = 4 }
    #expect(try Person.findFirst(in: bench.committed())?.age == 4)
  }

  @Test func `await perform of the own context runs at once`() async throws {
    let person = Person.named("a", in: main)
    var isLater = false
    DispatchQueue.main.async { MainActor.assumeIsolated { isLater = true } }
    await main.perform { local -> Void in Person.named("b", in: local.context) }
    #expect(!isLater)
    #expect(try Person.names(in: main) == ["a", "b"] && person.name == "a")
  }

  @Test func `a task that has claimed a context is seen by what it awaits`() async throws {
    let parent = bench.child("Parent")
    let id = Person.named("a", in: parent).objectID
    let child = bench.child("Inner", of: parent)
    let name = try await child.perform { try Person.find(id, in: $0)?.name }
    #expect(name == "a")
  }

  /// A stack on the main queue whose main context has saved a person.
  private static func saved(_ layout: StackLayout) async throws -> (Bench, Person) {
    let bench = try Bench(.file) { ($0.mainQueue, $0.layout) = (.main, layout) }
    let person = Person.named("a", in: bench.mainContext)
    try await bench.mainContext.save(toPersistentStore: true)
    return (bench, person)
  }

  private static func aging(
    _ id: ManagedObjectID, to age: Int
  ) -> @Sendable (LocalContext) throws -> Void {
    { local in try #require(try Person.find(id, in: local)).age = age }
  }

  /// How work in the background saves into, or beside, the main context.
  enum Work: CaseIterable, Sendable { case perform, save, block, stackBlock, failed }

  @Test(arguments: StackLayout.allCases, Work.allCases)
  func `the main context shows what was saved when the call returns`(
    _ layout: StackLayout, _ work: Work
  ) async throws {
    let (bench, person) = try await Self.saved(layout)
    let (main, id) = (bench.mainContext, person.objectID)
    for number in 1...20 {
      let child = bench.child("Private", of: main)
      let edit = Self.aging(id, to: number)
      switch work {
      case .perform:
        try await child.perform { local in
          try edit(local)
          try local.save()
        }
      case .save:
        try await child.perform(edit)
        try await child.save(toPersistentStore: true)
      case .block: try await main.save(edit)
      case .stackBlock: try await bench.stack.save(edit)
      case .failed:
        await #expect(throws: CancellationError.self) {
          try await child.perform { local in
            try edit(local)
            try local.save()
            throw CancellationError()
          }
        }
      }
      #expect(person.age == number)
    }
  }

  /// How a context on the main queue is awaited that saves into the main context.
  enum SheetWork: CaseIterable, Sendable { case perform, throwing, queued, save, block }

  @Test(arguments: StackLayout.allCases, SheetWork.allCases)
  func `the main context shows what a child on its queue saved when the call returns`(
    _ layout: StackLayout, _ work: SheetWork
  ) async throws {
    let (bench, person) = try await Self.saved(layout)
    let (main, id) = (bench.mainContext, person.objectID)
    for number in 1...10 {
      let sheet = ManagedObjectContext(.main, parent: main, name: "Sheet")
      let edit = Self.aging(id, to: number)
      let editAndSave: @Sendable (LocalContext) throws -> Void = { local in
        try edit(local)
        try local.save()
      }
      switch work {
      case .perform:
        await sheet.perform { local in
          #expect(throws: Never.self) { try editAndSave(local) }
        }
      case .throwing: try await sheet.perform(editAndSave)
      case .queued: try await sheet.perform(schedule: .enqueued, editAndSave)
      case .save:
        try await sheet.perform(edit)
        try await sheet.save(toPersistentStore: true)
      case .block: try await sheet.save(edit)
      }
      #expect(person.age == number)
    }
    person.age += 1
    try await main.save(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.age == 11)
  }
}
