import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Cascade and deny where any number of objects is linked with any number, in an order or in none.
@Suite(.againstHanging) struct LinkRuleTests {
  private func bench(_ kind: StoreKind, _ guild: Guild) throws -> Bench {
    let bench = try Bench(kind, model: guild.model())
    let maker = bench.child("Maker")
    try Guild.found(in: maker)
    try maker.saveAndWait(toPersistentStore: true)
    return bench
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.cascade))
  func `a cascade takes all that are linked, whoever else is linked with them`(
    _ kind: StoreKind, _ guild: Guild
  ) throws {
    let bench = try bench(kind, guild)
    let context = bench.child()
    let y = try #require(try context.one("Club", "y"))
    #expect(y.names("players").sorted() == ["b", "c"])
    try #require(try context.one("Club", "x")).delete()
    context.processPendingChanges()
    #expect(try context.names("Player") == ["c"] && context.names("Club") == ["y"])
    #expect(y.names("players") == ["c"] && context.deletedObjects.count == 3)
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Player") == ["c"] && reader.players("y") == ["c"])
    #expect(kind == .memory || bench.links == 1)
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.cascade))
  func `what was never saved cascades, too, and leaves nothing`(
    _ kind: StoreKind, _ guild: Guild
  ) throws {
    let bench = try Bench(kind, model: guild.model())
    for isPublished in [false, true] {
      let context = bench.child()
      try Guild.found(in: context)
      if isPublished { context.processPendingChanges() }
      for club in try context.all("Club") { club.delete() }
      context.processPendingChanges()
      #expect(!context.hasChanges && context.insertedObjects.isEmpty)
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(try bench.committed().names("Player") == [])
    #expect(kind == .memory || bench.links == 0)
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a cascade in both directions takes all that hang together, and ends`(
    _ kind: StoreKind, _ isOrdered: Bool
  ) throws {
    let guild = Guild(rule: .cascade, back: .cascade, isOrdered: isOrdered)
    let bench = try bench(kind, guild)
    let context = bench.child()
    try context.new("Club", "z").setValue([context.new("Player", "d")], forKey: "players")
    try #require(try context.one("Player", "a")).delete()
    #expect(try context.names("Club") == ["z"] && context.names("Player") == ["d"])
    context.rollback()
    #expect(try context.names("Club") == ["x", "y"])
    #expect(try context.names("Player") == ["a", "b", "c"])
    #expect(try context.players("x")?.sorted() == ["a", "b"])
    try #require(try context.one("Player", "c")).delete()
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Club") + reader.names("Player") == [])
    #expect(kind == .memory || bench.links == 0)
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.deny))
  func `a deletion is denied as long as there is a link, and nothing is lost`(
    _ kind: StoreKind, _ guild: Guild
  ) throws {
    let bench = try bench(kind, guild)
    let context = bench.child()
    let x = try #require(try context.one("Club", "x"))
    let order = x.names("players")
    x.delete()
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied && error?.property == "players")
    #expect(error?.entity == "Club" && error?.objectIDs.first == x.objectID)
    #expect(error?.objectIDs.count == 3)
    context.rollback()
    #expect(!x.isDeleted && x.names("players") == order && !context.hasChanges)
    // One goes with it, the other is let go of.
    try #require(try context.one("Player", "a")).delete()
    try x.setValue([try #require(try context.one("Player", "b"))], forKey: "players")
    x.delete()
    #expect(cauldronError { try context.save() }?.code == .validationDenied)
    context.rollback()
    try #require(try context.one("Player", "a")).delete()
    x.delete()
    #expect(cauldronError { try context.save() }?.code == .validationDenied)
    let b = try #require(try context.one("Player", "b"))
    #expect(b.names("clubs") == ["y"])
    try b.setValue([ManagedObject](), forKey: "clubs")
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Club") == ["y"] && reader.names("Player") == ["b", "c"])
    #expect(try reader.players("y") == ["c"])
    #expect(kind == .memory || bench.links == 1)
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.cascade, .deny))
  func `a child goes by the links that its parent has not saved`(
    _ kind: StoreKind, _ guild: Guild
  ) throws {
    let bench = try bench(kind, guild)
    let parent = bench.child("Parent")
    let d = try parent.new("Player", "d")
    let clubs = try [parent.new("Club", "z"), #require(try parent.one("Club", "y"))]
    try d.setValue(clubs, forKey: "clubs")
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    try #require(try child.one("Club", "y")).delete()
    if guild.rule == .deny {
      let error = cauldronError { try child.save() }
      #expect(error?.code == .validationDenied && error?.objectIDs.contains(d.objectID) == true)
      for player in try child.all("Player") where player.many("clubs").contains(where: \.isDeleted)
      {
        Issue.record("\(player) shows a club that is deleted")
      }
      for name in ["b", "c", "d"] { try #require(try child.one("Player", name)).delete() }
    }
    try child.save()
    parent.processPendingChanges()
    #expect(try parent.names("Player") == ["a"] && parent.names("Club") == ["x", "z"])
    #expect(try parent.players("x") == ["a"] && parent.players("z") == [] && d.isDeleted)
    #expect(try bench.committed().players("y")?.sorted() == ["b", "c"])
    try parent.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Player") == ["a"] && reader.names("Club") == ["x", "z"])
    #expect(try reader.players("x") == ["a"])
    #expect(kind == .memory || bench.links == 1)
  }

  @Test(arguments: Meeting.Level.allCases, Guild.all(.nullify, .cascade, .deny, .noAction))
  func `a club goes and a player comes to it: both are right, and the link goes with the club`(
    _ level: Meeting.Level, _ guild: Guild
  ) throws {
    for (kind, deletesFirst) in [(StoreKind.memory, true), (.file, true), (.file, false)] {
      let bench = try bench(kind, guild)
      let maker = bench.committed()
      let club = try maker.new("Club", "empty").objectID
      try maker.save()
      let meeting = Meeting(level, bench)
      try meeting.first.existingObject(with: club).delete()
      meeting.first.processPendingChanges()
      let (x, b) = try (
        #require(try meeting.second.one("Club", "x")),
        #require(try meeting.second.one("Player", "b"))
      )
      let d = try meeting.second.new("Player", "d")
      let empty = try meeting.second.existingObject(with: club)
      try empty.setValue([d, b], forKey: "players")
      try x.add(d, to: "players")
      meeting.second.processPendingChanges()
      if deletesFirst { try meeting.meet(meeting.first) }
      try meeting.meet(meeting.second)
      if !deletesFirst, guild.rule == .deny {
        // It sees the links now.
        #expect(cauldronError { try meeting.meet(meeting.first) }?.code == .validationDenied)
        meeting.first.rollback()
        #expect(try meeting.first.players("empty")?.sorted() == ["b", "d"])
        continue
      }
      if !deletesFirst { try meeting.meet(meeting.first) }
      try meeting.finish()
      let reader = bench.committed()
      #expect(try reader.names("Club") == ["x", "y"], "\(kind) \(deletesFirst)")
      #expect(try reader.names("Player") == ["a", "b", "c", "d"])
      #expect(try reader.players("x")?.sorted() == ["a", "b", "d"])
      #expect(try reader.one("Player", "d")?.names("clubs") == ["x"])
      #expect(kind == .memory || bench.links == 5)
      #expect(!meeting.first.hasChanges && !meeting.second.hasChanges)
    }
  }

  @Test(arguments: Meeting.Level.allCases, Guild.all(.cascade))
  func `a player goes with its club and is linked elsewhere: it is gone, and so is the link`(
    _ level: Meeting.Level, _ guild: Guild
  ) throws {
    for (kind, deletesFirst) in [(StoreKind.memory, true), (.file, true), (.file, false)] {
      let bench = try bench(kind, guild)
      let meeting = Meeting(level, bench)
      try #require(try meeting.first.one("Club", "x")).delete()
      meeting.first.processPendingChanges()
      let y = try #require(try meeting.second.one("Club", "y"))
      try y.add(#require(try meeting.second.one("Player", "a")), to: "players")
      try y.add(meeting.second.new("Player", "d"), to: "players")
      meeting.second.processPendingChanges()
      for context in deletesFirst
        ? [meeting.first, meeting.second] : [meeting.second, meeting.first]
      {
        try meeting.meet(context)
      }
      try meeting.finish()
      let reader = bench.committed()
      #expect(try reader.names("Club") == ["y"] && reader.names("Player") == ["c", "d"])
      #expect(try reader.players("y")?.sorted() == ["c", "d"])
      if guild.isOrdered { #expect(try reader.players("y") == ["c", "d"]) }
      #expect(kind == .memory || bench.links == 2)
    }
  }

  @Test(arguments: StoreKind.allCases, Guild.all(.deny))
  func `links to what only a child has made deny nothing`(
    _ kind: StoreKind, _ guild: Guild
  ) throws {
    let bench = try Bench(kind, model: guild.model())
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    try Guild.found(in: child)
    try child.save()
    try parent.performAndWait { try $0.context.one("Club", "x")?.delete() }
    try parent.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try reader.names("Club") == ["y"] && reader.players("y")?.sorted() == ["b", "c"])
    #expect(kind == .memory || bench.links == 2)
  }
}
