import Cauldron
import TestSupport
import Testing

/// Deletions are undone with links, and with the places of what is ordered.
@Suite(.againstHanging, .ownThread) struct UndoOrderTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file, model: Radio.model())
    context = bench.child()
    let list = Playlist.named("p", in: context)
    for title in ["a", "b", "c"] { Track.titled(title, on: list, in: context) }
    let fan = Listener.named("l", in: context)
    for name in ["x", "y", "z"] { fan.favourites.append(Playlist.named(name, in: context)) }
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
  }

  private func list() throws -> Playlist { try #require(try Playlist.named("p", of: context)) }

  private func fan() throws -> Listener { try #require(try Listener.named("l", of: context)) }

  @Test(arguments: [false, true])
  func `a track comes back to its place`(_ isSaved: Bool) throws {
    let list = try list()
    list.tracks[1].delete()
    context.processPendingChanges()
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    #expect(list.titles == "ac")
    try context.undo()
    #expect(list.titles == "abc")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Playlist.named("p", of: bench.committed())?.titles == "abc")
    try context.redo()
    #expect(list.titles == "ac")
  }

  @Test(arguments: [false, true])
  func `a list comes back with its tracks in order, and to its place`(_ isSaved: Bool) throws {
    let fan = try fan()
    fan.favourites[1].delete()
    try list().delete()
    context.processPendingChanges()
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    #expect(fan.names == "xz")
    try context.undo()
    #expect(fan.names == "xyz")
    #expect(try list().titles == "abc")
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    #expect(try Listener.named("l", of: other)?.names == "xyz")
    #expect(try Playlist.named("p", of: other)?.titles == "abc")
    try context.redo()
    #expect(fan.names == "xz")
  }

  @Test func `moves and cuts are undone`() throws {
    let (list, fan) = (try list(), try fan())
    list.tracks.move(from: 2, to: 0)
    fan.favourites.remove(fan.favourites[0])
    context.processPendingChanges()
    #expect(list.titles == "cab" && fan.names == "yz")
    try context.undo()
    #expect(list.titles == "abc" && fan.names == "xyz")
    try context.redo()
    #expect(list.titles == "cab" && fan.names == "yz")
    try context.undo()
    #expect(!context.hasChanges)
  }

  @Test(arguments: [false, true])
  func `a move that is undone leaves alone an element that went elsewhere`(
    _ isDeleted: Bool
  ) throws {
    let fan = try fan()
    fan.favourites.move(from: 2, to: 0)
    try context.saveAndWait(toPersistentStore: true)
    context.automaticallyMergesChangesFromParent = true
    let other = bench.child("Other")
    try other.performAndWait { local in
      let fan = try #require(try Listener.named("l", of: local.context))
      let first = fan.favourites[0]
      if isDeleted { first.delete() } else { fan.favourites.remove(first) }
    }
    try other.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
    #expect(fan.names == "xy")
    try context.undo()
    #expect(fan.names == "xy")
  }

  @Test(arguments: [false, true])
  func `an object comes back with the link to itself`(_ isSaved: Bool) throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let post = Post.titled("a", in: context)
    post.quotes.insert(post)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    post.delete()
    context.processPendingChanges()
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    try context.undo()
    let again = try #require(try Post.findFirst(in: context))
    #expect(again.quotes.map(\.title) == ["a"] && again.quotedBy.map(\.title) == ["a"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Post.findFirst(in: bench.committed())?.quotes.count == 1)
  }

  @Test(arguments: [false, true])
  func `objects that went together come back with their links`(_ isSaved: Bool) throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let (a, b) = (Post.titled("a", in: context), Post.titled("b", in: context))
    a.quotes.insert(b)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    a.delete()
    b.delete()
    context.processPendingChanges()
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    try context.undo()
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    #expect(try Post.titled("a", of: other)?.quotes.map(\.title) == ["b"])
  }
}
