import Cauldron
import CauldronModel
import Observation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Properties of every kind, and what classes inherit.
@Suite(.againstHanging, .ownThread) struct ObservedKindsTests {
  private let told = Told()

  @Test func `a property is the same one by the key path of a subclass and of its superclass`()
    throws
  {
    let bench = try Archive.bench()
    bench.onMain { main in
      func all() -> Int {
        main.processPendingChanges()
        return told.take()
      }
      let last = LastDunning.create(in: main)
      let paper: Paper = last
      told.watch { _ = paper.observed.title }
      last.title = "a"
      #expect(all() == 1)
      told.watch { _ = last.observed.title }
      paper.title = "b"
      #expect(all() == 1)
      told.watch { _ = last.observed.number }
      told.watchAlso { _ = last.observed.court }
      (last as Bill).number = 7
      #expect(all() == 1)
      (last.level, last.title) = (4, "c")
      #expect(all() == 0)
      let binder = Binder.create(in: main)
      told.watch { _ = binder.observed.papers.count }
      last.binder = binder
      #expect(all() == 1)
    }
  }

  @Test func `the order of a relationship is observed`() throws {
    let bench = try Bench(.memory, model: Radio.model())
    try bench.onMain { main in
      let list = Playlist.named("list", in: main)
      let tracks = ["a", "b", "c"].map { Track.titled($0, on: list, in: main) }
      func check(_ edit: () throws -> Void) throws -> Int {
        told.watch { _ = list.observed.tracks.map(\.title) }
        try edit()
        main.processPendingChanges()
        return told.take()
      }
      #expect(try check { list.tracks.move(from: 2, to: 0) } == 1)
      #expect(list.titles == "cab")
      #expect(try check { list.tracks.swapAt(0, 1) } == 1)
      #expect(try check { list.tracks = OrderedToMany(tracks) } == 1)
      #expect(try check { list.tracks.remove(at: 1) } == 1)
      #expect(try check { list.tracks.append(tracks[1]) } == 1)
      #expect(try check { try list.setValue(tracks, forKey: "tracks") } == 1)
      #expect(try check { tracks[0].title = "d" } == 0)
      #expect(try check { try main.save() } == 0)
      told.watch { _ = list.observed.tracks.count }
      let id = list.objectID
      let child = bench.child("Child", of: main)
      try child.performAndWait { local in
        try #require(try Playlist.find(id, in: local)).tracks.move(from: 0, to: 2)
        try local.context.save()
      }
      main.processPendingChanges()
      #expect(told.take() == 1)
      #expect(list.titles == "bcd")
    }
  }

  @Test func `links are observed at both ends, whoever makes them`() throws {
    let bench = try Bench(.memory, model: Blog.model())
    try bench.onMain { main in
      let (swift, linux) = (Tag.named("swift", in: main), Tag.named("linux", in: main))
      let post = Post.titled("post", [swift], in: main)
      try main.save()
      let (posts, others) = (Told(), Told())
      func watch() {
        told.watch { _ = post.observed.tags }
        posts.watch { _ = swift.observed.posts }
        others.watch { _ = linux.observed.posts }
      }
      func all() -> [Int] {
        main.processPendingChanges()
        return [told, posts, others].map { $0.take() }
      }
      watch()
      post.tags.insert(linux)
      #expect(all() == [1, 0, 1])
      watch()
      swift.posts.remove(post)
      #expect(all() == [1, 1, 0])
      watch()
      try main.save()
      #expect(all() == [0, 0, 0])
      let (id, tag) = (post.objectID, swift.objectID)
      let child = bench.child("Child", of: main)
      try child.performAndWait { local in
        let post = try #require(try Post.find(id, in: local))
        post.tags.insert(try #require(try Tag.find(tag, in: local)))
        try local.context.save()
      }
      main.processPendingChanges()
      #expect(all() == [1, 1, 0])
      watch()
      post.delete()
      main.processPendingChanges()
      #expect(all() == [1, 1, 1])
      #expect(swift.posts.isEmpty)
    }
  }

  @Test func `custom and transient values are observed`() throws {
    let bench = try Bench(.memory, model: ManagedObjectModel(Everything.self))
    bench.onMain { main in
      func all() -> Int {
        main.processPendingChanges()
        return told.take()
      }
      let object = Everything.create(in: main)
      told.watch { _ = object.observed.scratch }
      object.scratch = [1]
      #expect(all() == 1)
      told.watch { _ = object.observed.address }
      object.address.number = 7
      #expect(all() == 1)
      told.watch { _ = (object.observed.scratch, object.observed.mood) }
      object.level = .high
      #expect(all() == 0)
      object.mood = .bad
      #expect(all() == 1)
    }
  }
}
