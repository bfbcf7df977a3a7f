import Cauldron
import Foundation
import Observation
import TestSupport
import Testing

/// An edit of an ordered relationship reads the order, and publishes the running event before, only where it
/// changes something and the order is not known.
@Suite(.againstHanging, .ownThread) struct OrderedEventTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(model: Radio.model())
    context = bench.child()
  }

  private func listener(of names: String) throws -> Listener {
    let listener = Listener.create(in: context)
    for name in names { listener.favourites.append(.named(String(name), in: context)) }
    try context.saveAndWait(toPersistentStore: true)
    return listener
  }

  /// Makes objects faults of which nothing was walked.
  private func forget(_ objects: ManagedObject...) {
    for object in objects { context.refresh(object, mergeChanges: false) }
    context.processPendingChanges()
  }

  @Test func `undo and redo of a new order tell once, and of the whole order`() throws {
    let listener = try listener(of: "abcdefgh")
    context.undoManager = UndoManager()
    listener.favourites = OrderedToMany(listener.favourites.reversed())
    context.processPendingChanges()
    let orders = Locked<[String]>([])
    nonisolated(unsafe) let told = listener
    let seen = context.observe { change in
      guard change.kind == .objectsDidChange else { return }
      let order = told.favourites.map(\.name).joined()
      orders.withLock { $0.append(order) }
    }
    #expect(try context.timesTold { try context.undo() } == 1)
    #expect(try context.timesTold { try context.redo() } == 1)
    #expect(orders.withLock { $0 } == ["abcdefgh", "hgfedcba"])
    withExtendedLifetime(seen) {}
  }

  @Test func `an append of what is there goes on with the event`() throws {
    let listener = try listener(of: "ab")
    let list = try #require(try Playlist.named("a", of: context))
    let track = Track.titled("x", on: list, in: context)
    let other = Track.titled("y", in: context)
    try context.saveAndWait(toPersistentStore: true)
    forget(list, track, listener)
    let times = context.timesTold {
      other.title += "!"
      list.tracks.append(track)
      listener.favourites.append(list)
      list.fans.formUnion([listener])
      #expect(!other.changedValuesForCurrentEvent().isEmpty)
    }
    #expect(times == 0)
    #expect(context.updatedObjects.count == 1)
  }

  @Test func `what is taken out and put in again is told of as moved alone`() throws {
    let listener = try listener(of: "ab")
    let first = try #require(try Playlist.named("a", of: context))
    forget(listener)
    nonisolated(unsafe) let (told, taken) = (listener, first)
    let times = context.timesTold {
      !told.favourites.contains(taken)
    } during: {
      listener.favourites.remove(first)
      listener.favourites.append(first)
      context.processPendingChanges()
    }
    #expect(times == 0)
    #expect(listener.favourites.map(\.name) == ["b", "a"])
    try context.saveAndWait(toPersistentStore: true)
    let there = try Listener.findAll(in: bench.committed())
    #expect(there.first?.favourites.map(\.name) == ["b", "a"])
  }

  @Test func `undo of a deletion gives an ordered relationship back in one event`() throws {
    let list = Playlist.named("p", in: context)
    for title in "abcdef" {
      list.tracks.insert(Track.titled(String(title), in: context), at: 0)
    }
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    list.delete()
    context.processPendingChanges()
    #expect(try context.timesTold { try context.undo() } == 1)
    #expect(list.titles == "fedcba" && !context.hasChanges)
    list.tracks.append(Track.titled("x", in: context))
    #expect(list.titles == "fedcbax")
  }

  @Test func `a new object that is observed is told of when the event ends`() throws {
    let times = context.timesTold {
      let list = Playlist.create(in: context)
      withObservationTracking {
        _ = list.name
      } onChange: {
      }
      list.tracks.append(Track.titled("a", in: context))
      list.tracks.append(Track.titled("b", in: context))
      list.name = "made"
      #expect(list.titles == "ab")
    }
    #expect(times == 0)
  }

  @Test func `what comes back by undo is put behind what came back before`() throws {
    context.undoManager = UndoManager()
    let list = Playlist.named("p", in: context)
    for title in "abc" { list.tracks.append(Track.titled(String(title), in: context)) }
    context.processPendingChanges()
    try context.undo()
    try context.redo()
    let again = try #require(context.insertedObjects.compactMap { $0 as? Playlist }.first)
    again.tracks.append(Track.titled("d", in: context))
    #expect(again.titles == "abcd")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Playlist.named("p", of: bench.committed())?.titles == "abcd")
  }

  @Test(.enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
  func `links to many that have an order take time in proportion`() throws {
    // In memory a walk goes through all links that are saved.
    let bench = try Bench(.file, model: Radio.model())
    let context = bench.child()
    func time(_ count: Int) throws -> Double {
      let list = Playlist.create(in: context)
      let all = (0..<count).map { _ in Listener.create(in: context) }
      try context.saveAndWait(toPersistentStore: true)
      let began = threadSeconds
      list.fans.formUnion(all)
      context.processPendingChanges()
      return threadSeconds - began
    }
    let few = try (0..<3).map { _ in try time(500) }.min() ?? 0
    let many = try time(4_000)
    #expect(many < few * 24, "\(few) and \(many) s for eight times as many")
  }
}
