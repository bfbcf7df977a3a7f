import Cauldron
import Foundation
import TestSupport
import Testing

/// An owner whose to-many relationships change has a new version in the file, and no edit: it is in
/// conflict with nothing.
@Suite(.againstHanging) struct TouchedOwnerTests {
  /// A stack of playlists with one of them, two tracks on it and a listener.
  private func radio(
    _ kind: StoreKind = .file
  ) throws -> (Bench, ManagedObjectContext, Playlist, Listener) {
    let bench = try Bench(kind, model: Radio.model())
    let context = bench.child()
    let playlist = Playlist.named("list", in: context)
    for title in ["a", "b"] { Track.titled(title, on: playlist, in: context) }
    let listener = Listener.named("ann", in: context)
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context, playlist, listener)
  }

  private func versions(_ bench: Bench, of table: String = "ZPLAYLIST") throws -> [Int64] {
    let url = try #require(bench.stack.coordinator.storeURL)
    return OtherConnection(url).integers("SELECT Z_OPT FROM \(table) ORDER BY Z_PK")
  }

  @Test func `an owner has a new version after its members came, went or changed places`() throws {
    let (bench, context, playlist, _) = try radio()
    #expect(try versions(bench) == [1])
    let track = Track.titled("c", on: playlist, in: context)
    Track.titled("d", on: playlist, in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [2])
    playlist.tracks.move(from: 3, to: 0)
    try context.saveAndWait(toPersistentStore: true)
    #expect(playlist.titles == "dabc")
    #expect(try versions(bench) == [3])
    track.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [4])
    let other = Playlist.named("other", in: context)
    try context.saveAndWait(toPersistentStore: true)
    playlist.tracks.first?.playlist = other
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [5, 2])
  }

  @Test func `both ends of a link have new versions after it was made or dissolved`() throws {
    let (bench, context, playlist, listener) = try radio()
    playlist.fans.insert(listener)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [2])
    #expect(try versions(bench, of: "ZLISTENER") == [2])
    listener.favourites.remove(playlist)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [3])
    #expect(try versions(bench, of: "ZLISTENER") == [3])
  }

  @Test func `the owner of an order of links that was changed has a new version`() throws {
    let (bench, context, playlist, ann) = try radio()
    let bob = Listener.named("bob", in: context)
    let other = Playlist.named("other", in: context)
    for listener in [ann, bob] {
      for list in [playlist, other] { listener.favourites.append(list) }
    }
    try context.saveAndWait(toPersistentStore: true)
    let (lists, listeners) = try (versions(bench), versions(bench, of: "ZLISTENER"))
    ann.favourites.move(from: 1, to: 0)
    #expect(context.updatedObjects == [ann])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == lists)
    #expect(try versions(bench, of: "ZLISTENER") == [listeners[0] + 1, listeners[1]])
  }

  @Test func `an owner whose members end as they began keeps its version`() throws {
    let (bench, context, playlist, listener) = try radio()
    playlist.fans.insert(listener)
    context.processPendingChanges()
    #expect(Set(context.updatedObjects) == [playlist, listener])
    playlist.fans.remove(listener)
    let track = Track.titled("c", on: playlist, in: context)
    context.processPendingChanges()
    track.delete()
    listener.name = "bob"
    #expect(context.updatedObjects == [listener])
    try context.saveAndWait(toPersistentStore: true)
    #expect(playlist.titles == "ab")
    #expect(try versions(bench) == [1])
  }

  @Test func `a link that was dissolved and made again in two events touches nobody`() throws {
    let bench = try Creature.bench(.file)
    let context = bench.child()
    let (one, other) = (Creature.named("one", in: context), Creature.named("other", in: context))
    one.friends.insert(other)
    try context.saveAndWait(toPersistentStore: true)
    one.friends.remove(other)
    context.processPendingChanges()
    #expect(Set(context.updatedObjects) == [one, other])
    one.friends.insert(other)
    context.processPendingChanges()
    #expect(context.updatedObjects == [])
    #expect(!context.hasChanges)
    other.name = "new"
    #expect(context.updatedObjects == [other])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench, of: "ZCREATURE") == [1, 2])
  }

  @Test func `a link whose making was undone touches nobody`() throws {
    let (bench, context, playlist, listener) = try radio()
    let manager = UndoManager()
    context.undoManager = manager
    playlist.fans.insert(listener)
    context.processPendingChanges()
    #expect(Set(context.updatedObjects) == [playlist, listener])
    try manager.undo()
    context.processPendingChanges()
    #expect(context.updatedObjects == [])
    listener.name = "bob"
    #expect(context.updatedObjects == [listener])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [1])
  }

  @Test func `an owner that is written anyway has one version more`() throws {
    let (bench, context, playlist, _) = try radio()
    playlist.name = "new"
    Track.titled("c", on: playlist, in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try versions(bench) == [2])
  }

  /// The row that is cached is older than the other program's, and has to stay so.
  @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump])
  func `an owner that another program has changed and a member has touched is edited`(
    _ policy: MergePolicy
  ) throws {
    let bench = try Bench(.file)
    let url = try #require(bench.stack.coordinator.storeURL)
    let company = try bench.onMain { main in
      main.mergePolicy = policy
      let company = Company.named("A", in: main)
      try main.saveAndWait(toPersistentStore: true)
      company.rating = 1
      try main.saveAndWait(toPersistentStore: true)
      return Lent(company)
    }
    let other = OtherConnection(url)
    #expect(other.run("UPDATE ZCOMPANY SET ZNAME = 'B', Z_OPT = Z_OPT + 1"))
    let child = bench.child("Child", of: bench.mainContext)
    child.mergePolicy = policy
    let edited = try #require(try Company.findFirst(in: child))
    #expect(edited.name == "B")
    let beside = bench.committed()
    Person.named("member", at: try Company.findFirst(in: beside), in: beside)
    try beside.saveAndWait(toPersistentStore: true)
    bench.onMain { _ in company.value.rating = 2 }
    edited.name = "C"
    try child.saveAndWait(toPersistentStore: false)
    // The main context takes it in at an event of its own.
    bench.settleMain()
    #expect(bench.onMain { _ in company.value.name } == "C")
    _ = try bench.onMain { try $0.saveAndWait(toPersistentStore: true) }
    let written = "SELECT COUNT(*) FROM ZCOMPANY WHERE ZNAME = 'C' AND ZRATING = 2"
    #expect(other.integers(written) == [1])
  }

  @Test func `a row that another program has changed is read anew where a member touches it`()
    throws
  {
    let bench = try Bench(.file)
    let url = try #require(bench.stack.coordinator.storeURL)
    let context = bench.committed()
    let company = Company.named("A", in: context)
    try context.save()
    // So that the row is cached.
    _ = try Company.findFirst(in: bench.committed())?.name
    let other = OtherConnection(url)
    #expect(other.run("UPDATE ZCOMPANY SET ZNAME = 'B', Z_OPT = Z_OPT + 1"))
    Person.named("member", at: company, in: context)
    try context.save()
    // What is cached, with a version that has grown, would be taken for the other program's row.
    let reader = bench.child()
    let found = try reader.existingObject(with: company.objectID) as? Company
    #expect(found?.name == "B")
  }

  @Test(arguments: StoreKind.allCases, [MergePolicy.error, .strict])
  func `an owner that was read before its members changed is edited`(
    _ kind: StoreKind, _ policy: MergePolicy
  ) throws {
    let (bench, context, playlist, listener) = try radio(kind)
    let other = bench.child("Other")
    for context in [context, other] { context.mergePolicy = policy }
    let elsewhere = try #require(try Playlist.named("list", of: other))
    let fan = try #require(try Listener.named("ann", of: other))
    #expect(elsewhere.name == "list" && fan.name == "ann")
    Track.titled("c", on: playlist, in: context)
    playlist.fans.insert(listener)
    try context.saveAndWait(toPersistentStore: true)
    for name in ["x", "y"] {
      playlist.name = name
      try context.saveAndWait(toPersistentStore: true)
      Track.titled(name, on: playlist, in: context)
      try context.saveAndWait(toPersistentStore: true)
    }
    elsewhere.tracks.first?.title = "z"
    fan.name = "eve"
    try other.saveAndWait(toPersistentStore: true)
    let third = bench.committed()
    #expect(try Playlist.named("y", of: third)?.titles == "zbcxy")
    #expect(try Listener.named("eve", of: third) != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `an owner that was read before its members changed is deleted`(_ kind: StoreKind) throws {
    let (bench, context, playlist, listener) = try radio(kind)
    let other = bench.child("Other")
    let fan = try #require(try Listener.named("ann", of: other))
    #expect(fan.name == "ann")
    playlist.fans.insert(listener)
    try context.saveAndWait(toPersistentStore: true)
    fan.delete()
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Listener.count(in: bench.committed()) == 0)
  }

  @Test func `a batch is about rows and leaves the versions of owners`() throws {
    let (bench, context, _, _) = try radio()
    try Track.where(\.title == "a").batchDelete(in: context)
    #expect(try Track.count(in: bench.committed()) == 1)
    #expect(try versions(bench) == [1])
  }

  @Test func `notifications list the owner of members that came or went, with its relationship`()
    throws
  {
    let (_, context, playlist, _) = try radio(.memory)
    let told = Lent(Diary())
    let token = context.observe { change in
      let names = change.updated.map { "\($0.entityName)\(change.changedProperties(of: $0))" }
      told.value.entries.append("\(change.kind): " + names.sorted().joined(separator: " "))
    }
    let track = Track.titled("c", on: playlist, in: context)
    try context.saveAndWait(toPersistentStore: true)
    track.playlist = nil
    context.processPendingChanges()
    withExtendedLifetime(token) {}
    #expect(
      told.value.entries == [
        "objectsDidChange: Playlist[\"tracks\"]", "didSave: Playlist[\"tracks\"]",
        "objectsDidChange: Playlist[\"tracks\"] Track[\"playlist\"]",
      ])
  }

  @Test
  func `each willSave of an owner has its didSave, and a new object that is gone has neither`()
    throws
  {
    let bench = try Trial.bench()
    let context = bench.child()
    let diary = Diary()
    func watch(_ trial: Trial) {
      trial.script = Trial.Script { _, hook in
        if hook.hasSuffix("Save") { diary.entries.append(hook) }
      }
    }
    let (owner, part) = (try Trial.saved("a", in: context), try Trial.saved("b", in: context))
    watch(owner)
    part.owner = owner
    try context.saveAndWait(toPersistentStore: true)
    #expect(diary.entries == ["willSave", "didSave"])
    diary.entries = []
    let gone = Trial.create(in: context)
    watch(gone)
    context.processPendingChanges()
    gone.delete()
    context.processPendingChanges()
    try context.saveAndWait(toPersistentStore: true)
    #expect(diary.entries == [])
  }
}
