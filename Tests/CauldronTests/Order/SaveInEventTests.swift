import Cauldron
import TestSupport
import Testing

/// Saves in the middle of an event of the main context, which shows what they have saved.
@Suite(.againstHanging) struct SaveInEventTests {
  /// What runs a block and saves it, from the main queue.
  enum Form: CaseIterable { case stack, main, sheet, twice }

  private func save(
    _ form: Form, _ bench: Bench, _ id: ManagedObjectID, age: Int
  ) throws {
    let edit: (LocalContext) throws -> Void = { local in
      try #require(try Person.find(id, in: local)).age = age
    }
    switch form {
    case .stack: try bench.stack.saveAndWait(edit)
    case .main: try bench.mainContext.saveAndWait(edit)
    case .sheet:
      let sheet = ManagedObjectContext(.main, parent: bench.mainContext, name: "Sheet")
      try sheet.performAndWait { (_) throws -> Void in try sheet.saveAndWait(edit) }
    case .twice:
      try bench.stack.saveAndWait { try #require(try Person.find(id, in: $0)).age = -1 }
      try bench.stack.saveAndWait(edit)
    }
  }

  @Test(arguments: StackLayout.allCases, Form.allCases)
  func `a block of the main context shows what a save in it has saved`(
    _ layout: StackLayout, _ form: Form
  ) throws {
    for kind in StoreKind.allCases {
      let bench = try Bench(kind) { $0.layout = layout }
      try bench.onMain { main in
        let person = Person.named("a", age: 1, in: main)
        try main.saveAndWait(toPersistentStore: true)
        let id = person.objectID
        try main.performAndWait { (_) throws -> Void in
          try save(form, bench, id, age: 2)
          #expect(person.age == 2)
          person.age += 1
        }
        try main.saveAndWait(toPersistentStore: true)
      }
      #expect(try Person.findFirst(in: bench.committed())?.age == 3)
    }
  }

  @Test(arguments: StackLayout.allCases)
  func `an observer of the main context sees what it has saved itself`(
    _ layout: StackLayout
  ) throws {
    let bench = try Bench { $0.layout = layout }
    let seen = Locked<[Int]>([])
    try bench.onMain { main in
      let person = Person.named("a", age: 1, in: main)
      let other = Person.named("b", in: main)
      try main.saveAndWait(toPersistentStore: true)
      let (id, held) = (person.objectID, Held(person))
      let observation = main.observe { change in
        guard change.kind == .objectsDidChange, seen.withLock({ $0.isEmpty }) else { return }
        seen.withLock { $0.append(0) }
        try? bench.stack.saveAndWait { try Person.find(id, in: $0)?.age = 2 }
        seen.withLock { $0.append(held.object.age) }
      }
      other.age = 5
      main.processPendingChanges()
      withExtendedLifetime(observation) {}
      #expect(person.age == 2)
    }
    #expect(seen.withLock { $0 } == [0, 2])
  }
}
