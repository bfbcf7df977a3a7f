import Cauldron
import TestSupport
import Testing

/// Relationships that keep their objects in an order of their own.
@Suite(.againstHanging) struct OrderedTests {
  @Test func `all ways to change an order`() throws {
    let bench = try Bench(model: Radio.model())
    let context = bench.child()
    let list = Playlist.named("p", in: context)
    let all = "abcdef".map { Track.titled(String($0), in: context) }
    for track in all.prefix(3) { list.tracks.append(track) }
    all[3].playlist = list
    #expect(list.titles == "abcd" && list.tracks.count == 4 && all[0].playlist === list)
    list.tracks.insert(all[4], at: 0)
    list.tracks.insert(all[5], at: 2)
    #expect(list.titles == "eafbcd")
    list.tracks.move(from: 0, to: 5)
    #expect(list.titles == "afbcde")
    list.tracks.swapAt(0, 5)
    #expect(list.titles == "efbcda")
    list.tracks.remove(at: 1)
    list.tracks.remove(all[0])
    #expect(list.titles == "ebcd" && all[5].playlist == nil && !list.tracks.contains(all[0]))
    list.tracks.insert(all[3], at: 1)
    #expect(list.titles == "edbc", "what is there moves")
    list.tracks.replaceSubrange(1..<3, with: [all[0], all[5]])
    #expect(list.titles == "eafc" && all[1].playlist == nil && list.tracks[2] === all[5])
    list.tracks = [all[2], all[0], all[4]]
    #expect(list.titles == "cae" && list.tracks.firstIndex(of: all[4]) == 2)
    list.tracks.removeAll()
    #expect(list.tracks.isEmpty && all.allSatisfy { $0.playlist == nil })
  }

  @Test(arguments: StoreKind.allCases)
  func `an order is saved, changed and read again`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Radio.model())
    let context = bench.child()
    let list = Playlist.named("p", in: context)
    for title in "abc" { Track.titled(String(title), on: list, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    if let url = bench.stack.coordinator.storeURL {
      #expect(
        OtherConnection(url).integers("SELECT Z_FOK_PLAYLIST FROM ZTRACK ORDER BY Z_PK")
          == [2048, 3072, 4096])
    }
    let other = bench.child("Other")
    let same = try #require(try Playlist.named("p", of: other))
    #expect(same.titles == "abc")
    same.tracks.move(from: 2, to: 0)
    Track.titled("d", on: same, in: other)
    #expect(other.updatedObjects.count == 2, "one of them has moved, in their list")
    try other.saveAndWait(toPersistentStore: true)
    #expect(same.titles == "cabd")
    #expect(try Playlist.named("p", of: bench.committed())?.titles == "cabd")
    same.tracks.swapAt(0, 3)
    other.processPendingChanges()
    #expect(same.titles == "dabc")
    other.rollback()
    #expect(same.titles == "cabd" && !other.hasChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func `a many-to-many relationship has an order on one side`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Radio.model())
    let context = bench.child()
    let lists = "abc".map { Playlist.named(String($0), in: context) }
    let (jack, jill) = (Listener.named("jack", in: context), Listener.named("jill", in: context))
    jack.favourites = [lists[2], lists[0], lists[1]]
    jill.favourites.append(lists[1])
    lists[2].fans.insert(jill)
    #expect(jack.names == "cab" && jill.names == "bc" && lists[2].fans.count == 2)
    try context.saveAndWait(toPersistentStore: true)
    if let url = bench.stack.coordinator.storeURL {
      let order = "SELECT Z_2FAVOURITES FROM Z_1FAVOURITES WHERE Z_1FANS = 1"
      #expect(
        OtherConnection(url).integers("\(order) ORDER BY Z_FOK_2FAVOURITES") == [3, 1, 2])
    }
    let other = bench.child("Other")
    let same = try #require(try Listener.named("jack", of: other))
    #expect(same.names == "cab")
    same.favourites.move(from: 0, to: 2)
    #expect(same.names == "abc")
    same.favourites.remove(at: 1)
    try other.saveAndWait(toPersistentStore: true)
    let third = bench.committed()
    #expect(try Listener.named("jack", of: third)?.names == "ac")
    #expect(try Listener.named("jill", of: third)?.names == "bc")
    #expect(try Playlist.named("b", of: third)?.fans.map(\.name) == ["jill"])
  }

  @Test func `two contexts' insertions end in one order that both see`() throws {
    let bench = try Bench(.file, model: Radio.model())
    let setup = bench.child()
    let list = Playlist.named("p", in: setup)
    for title in "ab" { Track.titled(String(title), on: list, in: setup) }
    let id = list.objectID
    try setup.saveAndWait(toPersistentStore: true)
    let (a, b) = (bench.child("A"), bench.child("B"))
    for (context, titles) in [(a, "xy"), (b, "uv")] {
      try context.performAndWait { local in
        let list = try #require(try Playlist.find(id, in: local))
        for title in titles {
          list.tracks.insert(Track.titled(String(title), in: local.context), at: 1)
        }
      }
    }
    try a.saveAndWait(toPersistentStore: true)
    try b.saveAndWait(toPersistentStore: true)
    let orders = try [a, b, bench.committed()].map { context in
      try context.performAndWait { local in
        let list = try #require(try Playlist.find(id, in: local))
        local.refresh(list, mergeChanges: false)
        return try #require(try Playlist.find(id, in: local)).titles
      }
    }
    #expect(Set(orders).count == 1 && orders[0].first == "a" && orders[0].last == "b")
    #expect(orders[0].count == 6)
  }

  @Test(arguments: StoreKind.allCases)
  func `who links an object last says where it stands, in the store, too`(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind, model: Radio.model())
    let setup = bench.child()
    let jack = Listener.named("jack", in: setup)
    for name in "ab" { jack.favourites.append(Playlist.named(String(name), in: setup)) }
    let c = Playlist.named("c", in: setup).objectID
    try setup.saveAndWait(toPersistentStore: true)
    let (first, last) = (bench.child("First"), bench.child("Last"))
    for (context, position) in [(first, 0), (last, 2)] {
      try context.performAndWait { local in
        let list = try #require(try Playlist.find(c, in: local))
        try Listener.named("jack", of: local.context)?.favourites.insert(list, at: position)
      }
    }
    try first.saveAndWait(toPersistentStore: false)
    try last.saveAndWait(toPersistentStore: false)
    let root = bench.root
    #expect(try root.performAndWait { try Listener.named("jack", of: $0.context)?.names } == "abc")
    try root.performAndWait { try $0.context.save() }
    #expect(try root.performAndWait { try Listener.named("jack", of: $0.context)?.names } == "abc")
    #expect(try Listener.named("jack", of: bench.committed())?.names == "abc")
    guard kind == .file else { return }
    let again = try bench.reopened()
    #expect(try Listener.named("jack", of: again.root)?.names == "abc")
  }

  @Test(arguments: StoreKind.allCases)
  func `who has walked an order of links learns of another one`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Radio.model())
    let setup = bench.child()
    let id = Listener.named("jack", in: setup).objectID
    for name in "ab" {
      try Listener.find(id, in: setup)?.favourites.append(Playlist.named(String(name), in: setup))
    }
    try setup.saveAndWait(toPersistentStore: true)
    let (mine, theirs) = (bench.child("Mine"), bench.child("Theirs"))
    mine.automaticallyMergesChangesFromParent = true
    try mine.performAndWait { local in
      let jack = try #require(try Listener.find(id, in: local))
      // What is unsaved stays registered, with all that was walked.
      jack.name = "jill"
      #expect(jack.names == "ab")
    }
    try theirs.performAndWait { try Listener.find(id, in: $0)?.favourites.swapAt(0, 1) }
    try theirs.saveAndWait(toPersistentStore: false)
    #expect(try mine.performAndWait { try Listener.find(id, in: $0)?.names } == "ba")
  }

  @Test func `a thousand insertions at one place find room`() throws {
    let bench = try Bench(.file, model: Radio.model())
    let context = bench.child()
    let list = Playlist.named("p", in: context)
    for title in "az" { Track.titled(String(title), on: list, in: context) }
    for number in 0..<1_000 {
      list.tracks.insert(Track.titled("\(number % 10)", in: context), at: 1)
      if number % 100 == 0 { try context.saveAndWait(toPersistentStore: true) }
    }
    try context.saveAndWait(toPersistentStore: true)
    let titles = try #require(try Playlist.named("p", of: bench.committed())?.titles)
    #expect(titles == "a" + (0..<1_000).reversed().map { "\($0 % 10)" }.joined() + "z")
  }

  @Test func `an order of thousands is made, shortened and taken apart in time`() throws {
    let bench = try Bench(model: Radio.model())
    let context = bench.child()
    let clock = ContinuousClock()
    let time = try clock.measure {
      for number in 0..<1_000 {
        Track.titled("a", on: Playlist.named("\(number)", in: context), in: context)
      }
      let list = Playlist.named("p", in: context)
      for _ in 0..<5_000 { Track.titled("b", on: list, in: context) }
      try context.saveAndWait(toPersistentStore: true)
      list.tracks.removeAll()
      #expect(list.tracks.isEmpty)
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(time < .seconds(60 * slack), "the square of the number would take minutes")
  }

  @Test func `moves are made from what is stored, not from what was`() throws {
    let bench = try Bench(.file, model: Radio.model())
    let setup = bench.child()
    Listener.named("jack", in: setup).favourites = OrderedToMany(
      "abcd".map { Playlist.named(String($0), in: setup) })
    try setup.saveAndWait(toPersistentStore: true)
    let steps: [(OrderedToMany<Playlist>) -> Void] = [
      { $0.move(from: 0, to: 3) }, { $0.remove(at: 0) }, { $0.move(from: 2, to: 0) },
    ]
    for step in steps {
      let context = bench.child()
      step(try #require(try Listener.named("jack", of: context)).favourites)
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(try Listener.named("jack", of: bench.committed())?.names == "acd")
  }

  @Test func `what is taken out and appended again stands at the end`() throws {
    let bench = try Bench(.file, model: Radio.model())
    let setup = bench.child()
    let lists = "abc".map { Playlist.named(String($0), in: setup) }
    Listener.named("jack", in: setup).favourites = OrderedToMany(lists)
    try setup.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    let jack = try #require(try Listener.named("jack", of: context))
    let a = try #require(try Playlist.named("a", of: context))
    jack.favourites.remove(a)
    jack.favourites.append(a)
    #expect(jack.names == "bca")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Listener.named("jack", of: bench.committed())?.names == "bca")
  }

  @Test(arguments: StoreKind.allCases)
  func `a link that was moved is taken away and made again`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Radio.model())
    let context = bench.child()
    let lists = "ab".map { Playlist.named(String($0), in: context) }
    let jack = Listener.named("jack", in: context)
    jack.favourites = OrderedToMany(lists)
    try context.saveAndWait(toPersistentStore: true)
    jack.favourites.swapAt(0, 1)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    let same = try #require(try Listener.named("jack", of: other))
    let last = try #require(same.favourites.last)
    same.favourites.remove(last)
    other.processPendingChanges()
    same.favourites.append(last)
    other.processPendingChanges()
    same.favourites.swapAt(0, 1)
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Listener.named("jack", of: bench.committed())?.names == "ab")
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func `a link that is taken away and made again from either side comes last`(
    _ kind: StoreKind, fromList: Bool
  ) throws {
    let bench = try Bench(kind, model: Radio.model())
    let context = bench.child()
    let jack = Listener.named("jack", in: context)
    jack.favourites = OrderedToMany("ab".map { Playlist.named(String($0), in: context) })
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    // Then places are kept of what is taken away.
    other.undoManager = UndoManager()
    let same = try #require(try Listener.named("jack", of: other))
    let list = try #require(same.favourites.first)
    if fromList { list.fans.remove(same) } else { same.favourites.remove(list) }
    other.processPendingChanges()
    #expect(same.names == "b")
    if fromList { list.fans.insert(same) } else { same.favourites.append(list) }
    #expect(same.names == "ba")
    other.processPendingChanges()
    // Once more, which is undone.
    same.favourites.remove(list)
    other.processPendingChanges()
    try other.undo()
    #expect(same.names == "ba")
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Listener.named("jack", of: bench.committed())?.names == "ba")
  }

  @Test(arguments: StoreKind.allCases, ["b", "c"])
  func `what was made again stands before what comes later`(
    _ kind: StoreKind, again: String
  ) throws {
    let bench = try Bench(kind, model: Radio.model())
    let context = bench.child()
    let lists = "abc".map { Playlist.named(String($0), in: context) }
    let later = again == "b" ? "c" : "b"
    let jack = Listener.named("jack", in: context)
    jack.favourites = OrderedToMany(lists.filter { $0.name != later })
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    let same = try #require(try Listener.named("jack", of: other))
    let list = try #require(try Playlist.named(again, of: other))
    // Nobody has read the order until then.
    list.fans.remove(same)
    list.fans.insert(same)
    try #require(try Playlist.named(later, of: other)).fans.insert(same)
    #expect(same.names == "a\(again)\(later)")
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Listener.named("jack", of: bench.committed())?.names == "a\(again)\(later)")
  }

  @Test func `insertions between two change nothing but what is inserted`() throws {
    let bench = try Bench(model: Radio.model())
    let context = bench.child()
    let list = Playlist.named("p", in: context)
    for _ in 0..<100 { Track.titled("a", on: list, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    list.tracks.insert(contentsOf: (0..<500).map { _ in Track.titled("b", in: context) }, at: 0)
    context.processPendingChanges()
    #expect(context.updatedObjects == [list] && context.insertedObjects.count == 500)
    #expect(list.titles == String(repeating: "b", count: 500) + String(repeating: "a", count: 100))
  }
}
