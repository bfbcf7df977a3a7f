import Cauldron
import CauldronModel
import TestSupport
import Testing

@Entity final class Visit: ManagedObject {
  @Attribute(.indexed, .length(...8)) var name: String = ""
  var first: Int = 0
  var last: Int = 0
  @Transient var calls: [String] = []
  @Transient var keepsChanging: Bool = false

  struct Refusal: Error, Equatable { let secret: String }

  override func validate(_ value: Any?, for property: String) throws {
    calls.append("\(property)")
    if property == "name", let name = value as? String {
      if name.hasPrefix(" ") { self.name = String(name.dropFirst()) }
      if name == "throws" { throw Refusal(secret: "secret") }
    }
  }

  override func validateForInsert() throws {
    calls.append("insert")
    try checkOrder()
  }

  override func validateForUpdate() throws {
    calls.append("update")
    if keepsChanging { first += 1 }
    try checkOrder()
  }

  override func validateForDelete() throws {
    calls.append("delete")
    if name == "kept" { throw CauldronError(.validationFailed, "This visit is kept.") }
  }

  private func checkOrder() throws {
    guard first > last, !keepsChanging else { return }
    throw CauldronError(.validationFailed, "A visit must not end before it begins.")
  }
}

@Suite(.againstHanging) struct HookValidationTests {
  private func bench(_ kind: StoreKind = .memory) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Visit.self))
  }

  @Test func `each property of a new object is asked about, and each changed one later`() throws {
    let context = try bench().child()
    let visit = Visit.create(in: context)
    try context.save()
    #expect(visit.calls == ["name", "first", "last", "calls", "keepsChanging", "insert"])
    visit.calls = []
    try context.save()
    #expect(visit.calls == [])
    (visit.first, visit.last) = (1, 2)
    try context.save()
    #expect(visit.calls == ["first", "last", "update"])
    visit.calls = []
    visit.delete()
    try context.save()
    #expect(visit.calls == ["delete"])
  }

  @Test func `an error of the library's own type is carried with its object`() throws {
    let context = try bench().child()
    let visit = Visit.create(in: context)
    visit.first = 1
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationFailed)
    #expect(error?.message == "A visit must not end before it begins.")
    #expect(error?.entity == "Visit" && error?.property == nil)
    #expect(error?.objectIDs == [visit.objectID] && error?.contextName == "Child")
    visit.last = 1
    try context.save()
  }

  @Test func `any other error is carried, and only its type is told`() throws {
    let context = try bench().child()
    let visit = Visit.create(in: context)
    visit.name = "throws"
    let error = cauldronError { try context.save() }
    #expect(
      error?.description == "Visit.name is refused by validate(_:for:), which throws Refusal.")
    #expect(error?.underlying as? Visit.Refusal == Visit.Refusal(secret: "secret"))
    #expect(error?.property == "name" && error?.objectIDs == [visit.objectID])
  }

  @Test func `a deletion may be refused, and can be taken back`() throws {
    let context = try bench().child()
    let visit = Visit.create(in: context)
    visit.name = "kept"
    try context.save()
    visit.delete()
    #expect(cauldronError { try context.save() }?.message == "This visit is kept.")
    #expect(visit.isDeleted)
    context.rollback()
    #expect(!visit.isDeleted && visit.name == "kept")
    try context.save()
  }

  @Test func `what a validation changes is saved with it, and validated again`() throws {
    let bench = try bench()
    let context = bench.child()
    let visit = Visit.create(in: context)
    visit.name = "  jack"
    try context.saveAndWait(toPersistentStore: true)
    #expect(visit.name == "jack" && !context.hasChanges)
    #expect(visit.calls.filter { $0 == "insert" }.count == 3)
    #expect(try Visit.findFirst(in: bench.committed())?.name == "jack")
  }

  @Test func `a validation that never ends to change is stopped`() throws {
    let context = try bench().child()
    let visit = Visit.create(in: context)
    try context.save()
    visit.keepsChanging = true
    visit.last = 1
    let error = cauldronError { try context.save() }
    #expect(error?.message.contains("still changes objects after 100 rounds") == true)
    visit.keepsChanging = false
    visit.last = 1_000
    try context.save()
  }

  @Test func `what the model declares is checked without super, and told beside the rest`() throws {
    let context = try bench().child()
    let visit = Visit.create(in: context)
    (visit.name, visit.first) = ("much too long", 1)
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationMultiple)
    #expect(error?.details.map(\.code) == [.validationFailed, .validationTooLong])
    #expect(error?.message.hasPrefix("2 problems in 1 object: ") == true)
  }

  @Test func `deletions come first, then new objects, then changed ones`() throws {
    let context = try bench().child()
    let old = (0..<2).map { _ in Visit.create(in: context) }
    old[1].name = "kept"
    try context.save()
    old[0].first = 1
    let new = Visit.create(in: context)
    new.first = 1
    old[1].delete()
    let error = cauldronError { try context.save() }
    #expect(
      error?.details.map(\.objectIDs) == [[old[1].objectID], [new.objectID], [old[0].objectID]])
  }

  @Test func `an ancestor asks those objects that it has, and what is refused goes back`()
    async throws
  {
    let bench = try bench(.file)
    let context = bench.child(of: bench.mainContext)
    let ids = await context.perform { context in
      let visits = (0..<2).map { _ in Visit.create(in: context) }
      for visit in visits { visit.last = 5 }
      return visits.map(\.objectID)
    }
    try await context.save(toPersistentStore: true)
    let strict = bench.onMain { main in
      let visit = try? Visit.find(ids[0], in: main)
      visit?.calls = []
      return visit.map { ObjectIdentifier($0) }
    }
    #expect(strict != nil)
    try await context.perform { context in try Visit.find(ids[0], in: context)?.last = 6 }
    try await context.save(toPersistentStore: true)
    bench.onMain { main in
      let visit = try? Visit.find(ids[0], in: main)
      #expect(visit?.calls == ["last", "update"])
    }
  }
}

/// An object that only main refuses: a program's state may differ from context to context.
@Entity final class Guarded: ManagedObject {
  var name: String = ""

  override func validateForUpdate() throws {
    if managedObjectContext?.concurrencyType == .main, name == "refused" {
      throw CauldronError(.validationFailed, "Main refuses the name.")
    }
    if managedObjectContext?.concurrencyType == .main, name == "mended" { name = "MENDED" }
  }
}

@Suite(.againstHanging) struct BroughtValidationTests {
  private func saved(_ bench: Bench) async throws -> (ManagedObjectContext, ManagedObjectID) {
    let child = bench.child("Child", of: bench.mainContext)
    let id = await child.perform { Guarded.create(in: $0).objectID }
    try await child.save(toPersistentStore: true)
    // Main has the object, as long as it holds it.
    bench.onMain { main in
      guard let object = try? Guarded.find(id, in: main) else { return }
      _ = Unmanaged.passRetained(object)
    }
    return (child, id)
  }

  @Test func `what main refuses goes back to the child that made it`() async throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Guarded.self))
    let (child, id) = try await saved(bench)
    try await child.perform { try Guarded.find(id, in: $0)?.name = "refused" }
    let error = await #expect(throws: CauldronError.self) {
      try await child.save(toPersistentStore: true)
    }
    #expect(error?.message == "Main refuses the name." && error?.objectIDs == [id])
    #expect(error?.contextName == "Default Context")
    #expect(!bench.isDirty(bench.mainContext))
    try await child.perform { context in
      #expect(context.hasChanges)
      let object = try #require(try Guarded.find(id, in: context))
      #expect(object.name == "refused" && object.isUpdated)
      object.name = "accepted"
    }
    try await child.save(toPersistentStore: true)
    #expect(try Guarded.findFirst(in: bench.committed())?.name == "accepted")
  }

  @Test func `a save that ended with main is told of by the next save of main`() async throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Guarded.self))
    let (child, id) = try await saved(bench)
    try await child.perform { context in
      try Guarded.find(id, in: context)?.name = "refused"
      try context.save()
    }
    let outcome = try bench.onMain { main in
      _ = Guarded.create(in: main)
      return try main.saveAndWait(toPersistentStore: true)
    }
    guard case .saved(let summary) = outcome else {
      Issue.record("nothing was saved")
      return
    }
    #expect(summary.refused.map(\.message) == ["Main refuses the name."])
    #expect(try Guarded.count(in: bench.committed()) == 2)
    #expect(await child.perform { $0.hasChanges })
  }

  @Test func `what main changes while it validates goes along`() async throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Guarded.self))
    let (child, id) = try await saved(bench)
    try await child.perform { try Guarded.find(id, in: $0)?.name = "mended" }
    try await child.save(toPersistentStore: true)
    #expect(try Guarded.findFirst(in: bench.committed())?.name == "MENDED")
    #expect(!bench.isDirty(bench.mainContext))
  }
}
