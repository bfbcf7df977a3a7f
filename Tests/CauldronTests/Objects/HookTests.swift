import Cauldron
import Testing

@Suite struct HookTests {
  @Test func `hooks are called in order, and again for a change made in willSave`() throws {
    let bench = try Bench(model: ManagedObjectModel(Hooked.self))
    let context = bench.child()
    let object = Hooked.create(in: context)
    try context.save()
    #expect(object.calls == ["awake true", "willSave", "willSave", "didSave"])
    let reader = bench.child()
    #expect(try Hooked.findFirst(in: reader)?.saves == 1)
    object.calls = []
    object.name = "x"
    try context.save()
    #expect(object.calls == ["willSave", "didSave"])
    object.calls = []
    object.delete()
    object.delete()
    try context.save()
    #expect(object.calls == ["prepare", "prepare", "willSave", "didSave"])
  }

  @Test func `willSave is called once for an object of several events`() throws {
    let bench = try Bench(model: ManagedObjectModel(Hooked.self))
    let context = bench.child()
    let object = Hooked.create(in: context)
    object.saves = 5
    for round in 0..<3 {
      object.name = "\(round)"
      context.processPendingChanges()
    }
    object.calls = []
    try context.save()
    #expect(object.calls == ["willSave", "didSave"])
  }
}
