import Cauldron
import TestSupport
import Testing

/// A link that a context takes away, or makes, and its child makes again, or takes away.
@Suite(.againstHanging, .ownThread) struct RemadeLinkTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext
  private let lists: [Playlist]
  private let ann: Listener

  /// Ann has the lists a, b and c; the versions in the file are greater than those that the parent knows.
  init() throws {
    bench = try Bench(.file, model: Radio.model())
    let parent = bench.child("Parent")
    (self.parent, child) = (parent, bench.child("Child", of: parent))
    let made = parent.performAndWait { local in
      let ann = Listener.named("ann", in: local.context)
      let lists = "abcd".map { Playlist.named(String($0), in: local.context) }
      for list in lists.prefix(3) { ann.favourites.append(list) }
      return Lent((ann, lists))
    }
    (ann, lists) = made.value
    try parent.saveAndWait(toPersistentStore: true)
    let last = Lent((ann, lists[3]))
    for isIn in [true, false] {
      parent.performAndWait { _ in
        let (ann, list) = last.value
        if isIn { ann.favourites.append(list) } else { ann.favourites.remove(list) }
      }
      try parent.saveAndWait(toPersistentStore: true)
    }
  }

  private func names(in context: ManagedObjectContext) throws -> String? {
    try context.performAndWait { try Listener.findFirst(in: $0)?.names }
  }

  private func changeInChild(_ change: (Listener, [Playlist]) -> Void) throws {
    try child.performAndWait { local in
      let lists = try Playlist.findAll(sortedBy: \.name, in: local)
      change(try #require(try Listener.findFirst(in: local)), lists)
    }
    try child.saveAndWait(toPersistentStore: false)
  }

  @Test(arguments: [true, false])
  func `what the child did last is saved, whatever else the parent has edited`(
    _ isMade: Bool
  ) throws {
    let lent = Lent((ann, lists))
    parent.performAndWait { _ in
      let (ann, lists) = lent.value
      if isMade { ann.favourites.append(lists[3]) } else { ann.favourites.remove(lists[0]) }
    }
    try changeInChild { ann, lists in
      if isMade { ann.favourites.remove(lists[3]) } else { ann.favourites.append(lists[0]) }
    }
    parent.performAndWait { _ in lent.value.1[3].name = "e" }
    let expected = isMade ? "abc" : "bca"
    #expect(try names(in: parent) == expected)
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try names(in: parent) == expected && names(in: bench.committed()) == expected)
  }

  @Test(arguments: [0, 1, 2])
  func `the parent moves what the child has put back`(_ place: Int) throws {
    let lent = Lent((ann, lists))
    parent.performAndWait { _ in lent.value.0.favourites.remove(lent.value.1[0]) }
    try changeInChild { ann, lists in ann.favourites.insert(lists[0], at: place) }
    let expected = parent.performAndWait { _ in
      let (ann, lists) = lent.value
      #expect(ann.favourites.contains(lists[0]))
      ann.favourites.move(from: place, to: (place + 1) % 3)
      return ann.names
    }
    #expect(try names(in: bench.child("Other", of: parent)) == expected)
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try names(in: parent) == expected && names(in: bench.committed()) == expected)
  }

  @Test func `a link that a child has made again is found by the walk of many`() throws {
    try parent.performAndWait { local in
      ann.favourites.removeAll()
      _ = try Playlist.findAll(in: local)
    }
    try changeInChild { ann, lists in ann.favourites.append(lists[0]) }
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { _ in
      // Each list beside it is walked with the same statement.
      #expect(lists.map { $0.fans.map(\.name) } == [["ann"], [], [], []])
      #expect(ann.names == "a")
      lists[0].fans.remove(ann)
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try names(in: bench.committed()) == "")
  }
}
