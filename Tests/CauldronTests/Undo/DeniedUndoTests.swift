import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What leads to a deleted object because a rule denies its deletion goes after it, and comes back before.
@Suite(.againstHanging, .ownThread) struct DeniedUndoTests {
  @Test(arguments: Guild.all(.deny), [false, true])
  func `links come back with the last of their objects`(
    _ guild: Guild, _ isSaved: Bool
  ) throws {
    let bench = try Bench(.file, model: guild.model())
    let context = bench.child()
    try Guild.found(in: context)
    try context.saveAndWait(toPersistentStore: true)
    func players(_ context: ManagedObjectContext) throws -> [String]? {
      let names = try context.players("x")
      return guild.isOrdered ? names : names?.sorted()
    }
    let order = try players(context)
    context.undoManager = UndoManager()
    try #require(try context.one("Club", "x")).delete()
    context.processPendingChanges()
    for name in ["a", "b"] {
      try #require(try context.one("Player", name)).delete()
      context.processPendingChanges()
    }
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    for _ in 0..<2 {
      try context.undo()
      try context.undo()
      #expect(try context.names("Player") == ["a", "b", "c"] && context.names("Club") == ["y"])
      try context.undo()
      #expect(try players(context) == order)
      #expect(isSaved || !context.hasChanges)
      for _ in 0..<3 { try context.redo() }
      #expect(try context.names("Player") == ["c"] && context.names("Club") == ["y"])
    }
    for _ in 0..<3 { try context.undo() }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try players(bench.committed()) == order && bench.links == 4)
  }

  @Test(arguments: [false, true])
  func `references come back with what they lead to`(_ isSaved: Bool) throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Landlord.self, Tenant.self))
    let context = bench.child()
    Tenant.create(in: context).landlord = Landlord.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    try Landlord.deleteAll(where: nil, in: context)
    context.processPendingChanges()
    try Tenant.deleteAll(where: nil, in: context)
    context.processPendingChanges()
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    try context.undo()
    #expect(try Tenant.count(in: context) == 1 && Landlord.count(in: context) == 0)
    try context.undo()
    let landlord = try #require(try Landlord.findFirst(in: context))
    #expect(try Tenant.findFirst(in: context)?.landlord === landlord)
    #expect(landlord.tenants.count == 1 && context.hasChanges == isSaved)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Tenant.findFirst(in: bench.committed())?.landlord != nil)
  }
}
