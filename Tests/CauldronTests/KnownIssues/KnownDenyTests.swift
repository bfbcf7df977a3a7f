import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Deny rules after undo and redo. The soak `model` found the first case with the seed 2204553680 (G26).
@Suite(.againstHanging, .ownThread) struct KnownDenyTests {
  /// A stored club with a player, whose presence denies the club's deletion.
  private func saved(
    _ guild: Guild
  ) throws -> (Bench, ManagedObjectContext, club: ManagedObject, player: ManagedObject) {
    let bench = try Bench(.file, model: guild.model())
    let context = bench.child()
    let player = try context.new("Player", "a")
    let club = try context.new("Club", "x")
    try club.setValue([player], forKey: "players")
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context, club, player)
  }

  /// A context in which an object was deleted, and then the one whose presence denies that; both
  /// deletions were undone, and the first one was made again.
  private func redone(
    _ context: ManagedObjectContext, _ object: ManagedObject, _ partner: ManagedObject
  ) throws {
    context.undoManager = UndoManager()
    for deleted in [object, partner] {
      deleted.delete()
      context.processPendingChanges()
    }
    try context.undo()
    try context.undo()
    try context.redo()
  }

  @Test(arguments: Guild.all(.deny))
  func `a deletion that is made again is denied as long as its partner is there`(
    _ guild: Guild
  ) throws {
    let (bench, context, club, player) = try saved(guild)
    defer { withExtendedLifetime(bench) {} }
    try redone(context, club, player)
    #expect(try context.names("Player") == ["a"] && context.names("Club").isEmpty)
    let error = Locked<CauldronError?>(nil)
    do { try context.saveAndWait(toPersistentStore: true) } catch let thrown as CauldronError {
      error.withLock { $0 = thrown }
    }
    #expect(error.withLock { $0?.code } == .validationDenied)
  }

  @Test(arguments: Guild.all(.deny))
  func `a deletion is denied again as soon as that of its partner is undone`(
    _ guild: Guild
  ) throws {
    let (bench, context, club, player) = try saved(guild)
    context.undoManager = UndoManager()
    for deleted in [club, player] {
      deleted.delete()
      context.processPendingChanges()
    }
    try context.undo()
    #expect(player.many("clubs").isEmpty)
    let error = cauldronError { _ = try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied)
    try context.undo()
    #expect(club.many("players") == [player] && player.many("clubs") == [club])
    #expect(!context.hasChanges)
    try context.redo()
    try context.redo()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try bench.committed().names("Club").isEmpty)
  }

  /// The link was taken away by hand: that is done again, too.
  @Test func `what was unlinked and deleted in one step is not denied when that is made again`()
    throws
  {
    let bench = try Bench(.file, model: Guild(rule: .deny).model())
    let context = bench.child()
    let player = try context.new("Player", "a")
    let club = try context.new("Club", "x")
    try club.setValue([player], forKey: "players")
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    try club.setValue([ManagedObject](), forKey: "players")
    club.delete()
    context.processPendingChanges()
    try context.undo()
    #expect(club.many("players") == [player])
    try context.redo()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try bench.committed().names("Player") == ["a"])
  }

  @Test func `so is one of an object that a reference leads to`() throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Landlord.self, Tenant.self))
    let context = bench.child()
    let (landlord, tenant) = (Landlord.create(in: context), Tenant.create(in: context))
    tenant.landlord = landlord
    try context.saveAndWait(toPersistentStore: true)
    try redone(context, landlord, tenant)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied)
  }
}
