import Cauldron
import TestSupport
import Testing

/// An order that is set back to what it was is no change, in the same event or in a later one.
@Suite(.againstHanging, .ownThread) struct OrderSetBackTests {
  enum Way: String, CaseIterable {
    case firstMoved, lastMoved, exchanged, reversed, inserted, lastAppended, assigned, twiceMoved

    /// Changes an order of five.
    func change<Element>(_ order: OrderedToMany<Element>) {
      let all = Array(order)
      switch self {
      case .firstMoved: order.move(from: 0, to: 4)
      case .lastMoved: order.move(from: 4, to: 0)
      case .exchanged: order.swapAt(1, 3)
      case .reversed: order.replaceSubrange(0..<5, with: all.reversed())
      case .inserted: order.remove(all[1])
      case .lastAppended: order.remove(all[4])
      case .assigned: order.removeAll()
      case .twiceMoved:
        order.move(from: 1, to: 3)
        order.move(from: 0, to: 4)
      }
    }

    /// Gives the objects their order again.
    func setBack<Element>(_ order: OrderedToMany<Element>, to all: [Element]) {
      switch self {
      case .firstMoved: order.move(from: 4, to: 0)
      case .lastMoved: order.move(from: 0, to: 4)
      case .exchanged: order.swapAt(3, 1)
      case .reversed, .assigned: order.replaceSubrange(0..<order.count, with: all)
      case .inserted: order.insert(all[1], at: 1)
      case .lastAppended: order.append(all[4])
      case .twiceMoved:
        order.move(from: 4, to: 0)
        order.move(from: 3, to: 1)
      }
    }
  }

  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(model: Radio.model())
    context = bench.child()
  }

  private func check<Element>(_ order: OrderedToMany<Element>, _ way: Way, isOneEvent: Bool) throws
  {
    let all = Array(order)
    way.change(order)
    #expect(context.hasChanges)
    if !isOneEvent { context.processPendingChanges() }
    #expect(context.hasChanges && Array(order) != all)
    way.setBack(order, to: all)
    #expect(!context.hasChanges && Array(order) == all)
    context.processPendingChanges()
    #expect(!context.hasChanges && context.updatedObjects.isEmpty)
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test(arguments: Way.allCases, [true, false])
  func `of an order of one owner nothing is left`(_ way: Way, _ isOneEvent: Bool) throws {
    let list = Playlist.named("list", in: context)
    for title in "abcde" { Track.titled(String(title), on: list, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    try check(list.tracks, way, isOneEvent: isOneEvent)
  }

  @Test(arguments: Way.allCases, [true, false])
  func `of an order of many owners nothing is left`(_ way: Way, _ isOneEvent: Bool) throws {
    let (ann, bob) = (Listener.named("ann", in: context), Listener.named("bob", in: context))
    for name in "abcde" {
      let list = Playlist.named(String(name), in: context)
      for listener in [bob, ann] { listener.favourites.append(list) }
    }
    try context.saveAndWait(toPersistentStore: true)
    try check(ann.favourites, way, isOneEvent: isOneEvent)
  }

  @Test(arguments: [true, false])
  func `an object that comes back from another order is where it was`(_ isOneEvent: Bool) throws {
    let (here, there) = (Playlist.named("here", in: context), Playlist.named("there", in: context))
    for title in "abc" { Track.titled(String(title), on: here, in: context) }
    Track.titled("d", on: there, in: context)
    try context.saveAndWait(toPersistentStore: true)
    let moved = here.tracks[0]
    there.tracks.insert(moved, at: 0)
    if !isOneEvent { context.processPendingChanges() }
    here.tracks.insert(moved, at: 0)
    #expect(!context.hasChanges && here.titles == "abc" && there.titles == "d")
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test(arguments: Way.allCases)
  func `of an order with equal places nothing is left`(_ way: Way) throws {
    let list = Playlist.named("list", in: context)
    for title in "abcd" { Track.titled(String(title), on: list, in: context) }
    let last = Track.titled("e", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    try Track.findFirst(\.title, "d", in: other)?.playlist = nil
    try other.save()
    // Both put one behind the third.
    let again = try #require(try Track.findFirst(\.title, "d", in: other))
    try Playlist.findFirst(in: other)?.tracks.append(again)
    context.refreshAllObjects()
    list.tracks.append(last)
    try context.saveAndWait(toPersistentStore: true)
    try other.save()
    context.refreshAllObjects()
    #expect(list.isFault && list.tracks.count == 5)
    try check(list.tracks, way, isOneEvent: true)
  }

  @Test func `within the event that makes a link again nothing is told of it`() throws {
    let ann = Listener.named("ann", in: context)
    let list = Playlist.named("list", in: context)
    list.fans.insert(ann)
    try context.saveAndWait(toPersistentStore: true)
    list.fans.remove(ann)
    context.processPendingChanges()
    list.fans.insert(ann)
    #expect(!context.hasChanges && context.updatedObjects.isEmpty)
    #expect(!list.isUpdated && list.changedValues().isEmpty)
  }

  @Test func `a link whose end another context has deleted is a change still`() throws {
    let ann = Listener.named("ann", in: context)
    let list = Playlist.named("list", in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.automaticallyMergesChangesFromParent = true
    list.fans.insert(ann)
    context.processPendingChanges()
    let other = bench.committed()
    try Listener.findFirst(in: other)?.delete()
    try other.save()
    context.processPendingChanges()
    #expect(context.hasChanges == !context.updatedObjects.isEmpty)
  }

  @Test func `an object that was created and deleted has no changes`() {
    let ann = Listener.named("ann", in: context)
    #expect(ann.isInserted && ann.hasChanges)
    ann.delete()
    context.processPendingChanges()
    #expect(!ann.isInserted && !ann.hasChanges && !context.hasChanges)
  }

  @Test func `a new place is kept where the old one lies elsewhere by now`() throws {
    let list = Playlist.named("list", in: context)
    for title in "abc" { Track.titled(String(title), on: list, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    list.tracks.move(from: 0, to: 2)
    list.tracks.move(from: 0, to: 2)
    list.tracks.move(from: 1, to: 0)
    #expect(list.titles == "acb")
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Playlist.findFirst(in: reader)?.titles == "acb")
    context.refresh(list, mergeChanges: false)
    #expect(list.titles == "acb")
  }

  @Test(arguments: [false, true])
  func `committed values of an order are those before it was changed`(_ isOfLinks: Bool) throws {
    let list = Playlist.named("list", in: context)
    let ann = Listener.named("ann", in: context)
    for title in ["a", "b", "c", "d"] {
      Track.titled(title, on: list, in: context)
      ann.favourites.append(Playlist.named(title, in: context))
    }
    try context.saveAndWait(toPersistentStore: false)
    func committed() -> String? {
      if isOfLinks {
        (ann.committedValues(forKeys: ["favourites"])["favourites"] as? [Playlist])?.map(\.name)
          .joined()
      } else {
        (list.committedValues(forKeys: ["tracks"])["tracks"] as? [Track])?.map(\.title).joined()
      }
    }
    let (first, last) = (list.tracks[0], ann.favourites[0])
    list.tracks.move(from: 0, to: 3)
    ann.favourites.move(from: 0, to: 3)
    #expect(list.titles == "bcda" && ann.names == "bcda" && committed() == "abcd")
    context.processPendingChanges()
    list.tracks.remove(first)
    ann.favourites.remove(last)
    #expect(list.titles == "bcd" && ann.names == "bcd" && committed() == "abcd")
  }
}
