import Cauldron
import Foundation
import TestSupport
import Testing

/// Links that several contexts change: what two want alike is one, and a deletion takes along what
/// it could not see.
@Suite(.againstHanging) struct ConcurrentLinkTests {
  private let bench: Bench
  private let kind: StoreKind
  private let post: ManagedObjectID
  private let tag: ManagedObjectID

  init() throws { try self.init(.file) }

  private init(_ kind: StoreKind) throws {
    self.kind = kind
    bench = try Bench(kind, model: Blog.model())
    let context = bench.child()
    post = Post.titled("a", in: context).objectID
    tag = Tag.named("swift", in: context).objectID
    try context.saveAndWait(toPersistentStore: true)
  }

  private func link(_ context: ManagedObjectContext, _ isLinked: Bool = true) throws {
    try context.performAndWait { local in
      let post = try #require(try Post.find(post, in: local))
      let tag = try #require(try Tag.find(tag, in: local))
      if isLinked { post.tags.insert(tag) } else { post.tags.remove(tag) }
    }
  }

  private func names() throws -> [String]? {
    try Post.find(post, in: bench.committed())?.tagNames
  }

  private var links: [Int64] {
    get throws {
      OtherConnection(try #require(bench.stack.coordinator.storeURL))
        .integers("SELECT count(*) FROM Z_1TAGS")
    }
  }

  @Test func `two who link the same objects make one link`() throws {
    let (a, b) = (bench.child("A"), bench.child("B"))
    try link(a)
    try link(b)
    try a.saveAndWait(toPersistentStore: true)
    try b.saveAndWait(toPersistentStore: true)
    #expect(try names() == ["swift"] && links == [1])
    #expect(!bench.isDirty(b) && !bench.isDirty(bench.root))
  }

  @Test func `two children of the main context who link the same objects make one link`() throws {
    let (a, b) = (bench.child("A", of: bench.mainContext), bench.child("B", of: bench.mainContext))
    try link(a)
    try link(b)
    try a.saveAndWait(toPersistentStore: false)
    try b.saveAndWait(toPersistentStore: false)
    try bench.onMain { main in
      let (post, tag) = try (Post.find(post, in: main), Tag.find(tag, in: main))
      #expect(post?.tagNames == ["swift"] && tag?.posts.count == 1)
    }
    try a.saveAndWait(toPersistentStore: true)
    #expect(try names() == ["swift"] && links == [1])
  }

  @Test(arguments: [false, true])
  func `who unlinks what somebody else has linked and saved meanwhile has it unlinked`(
    _ isInOneEvent: Bool
  ) throws {
    let (a, b) = (bench.child("A"), bench.child("B"))
    func names(_ local: LocalContext) throws -> [String]? {
      try Post.find(post, in: local)?.tagNames
    }
    if isInOneEvent {
      try a.performAndWait { local in
        try link(a)
        try link(b)
        try b.saveAndWait(toPersistentStore: true)
        try link(a, false)
        #expect(try names(local) == [])
      }
    } else {
      try link(a)
      try link(b)
      try b.saveAndWait(toPersistentStore: true)
      try link(a, false)
    }
    #expect(try a.performAndWait { try names($0) } == [])
    try a.saveAndWait(toPersistentStore: true)
    #expect(try a.performAndWait { try names($0) } == [])
    #expect(try self.names() == [] && links == [0])
    try link(a)
    try a.saveAndWait(toPersistentStore: true)
    #expect(try self.names() == ["swift"] && links == [1])
  }

  @Test(arguments: [false, true])
  func `taking a link away that another context has made, too, is told of and can be undone`(
    _ childReads: Bool
  ) throws {
    try bench.onMain { main in
      main.undoManager = UndoManager()
      main.processPendingChanges()
      let count = Locked(0)
      let observation = main.observe { change in
        if change.kind == .objectsDidChange { count.withLock { $0 += 1 } }
      }
      let post = try #require(main.object(with: self.post) as? Post)
      let tag = try #require(main.object(with: self.tag) as? Tag)
      post.tags.insert(tag)
      let other = bench.child("Other")
      try link(other)
      try other.saveAndWait(toPersistentStore: true)
      if childReads {
        let child = ManagedObjectContext(.main, parent: main, name: "Child")
        #expect((child.object(with: self.post) as? Post)?.title == "a")
      }
      post.tags.remove(tag)
      main.processPendingChanges()
      #expect(count.withLock { $0 } > 0 && post.tagNames == [])
      try main.undo()
      #expect(post.tagNames == ["swift"])
      observation.cancel()
    }
  }

  @Test func `two who unlink the same objects have no conflict`() throws {
    let setup = bench.child()
    try link(setup)
    try setup.saveAndWait(toPersistentStore: true)
    let (a, b) = (bench.child("A"), bench.child("B"))
    try link(a, false)
    try link(b, false)
    try a.saveAndWait(toPersistentStore: true)
    try b.saveAndWait(toPersistentStore: true)
    #expect(try names() == [] && links == [0])
  }

  @Test(arguments: [true, false])
  func `a deletion takes along a link that it could not see`(_ linksFirst: Bool) throws {
    for parent in [nil, bench.mainContext] {
      let bench = try ConcurrentLinkTests(.file)
      let above = parent == nil ? nil : bench.bench.mainContext
      let (a, b) = (bench.bench.child("A", of: above), bench.bench.child("B", of: above))
      try bench.link(a)
      try b.performAndWait { local in try #require(try Tag.find(bench.tag, in: local)).delete() }
      for context in linksFirst ? [a, b] : [b, a] {
        try context.saveAndWait(toPersistentStore: above == nil)
      }
      try bench.bench.mainContext.performAndWait { main in
        let post = try Post.find(bench.post, in: main)
        #expect(post?.tagNames == [])
      }
      try a.saveAndWait(toPersistentStore: true)
      try b.saveAndWait(toPersistentStore: true)
      try bench.bench.root.saveAndWait(toPersistentStore: true)
      #expect(try bench.names() == [] && bench.links == [0])
      #expect(try Tag.count(in: bench.bench.committed()) == 0)
    }
  }

  @Test func `another process's link, and its deletion, are no conflict`() throws {
    let url = try #require(bench.stack.coordinator.storeURL)
    let other = OtherConnection(url)
    let context = bench.child()
    try link(context)
    #expect(other.run("INSERT INTO Z_1TAGS VALUES (1, 1)"))
    try context.saveAndWait(toPersistentStore: true)
    #expect(try names() == ["swift"] && links == [1])
    try link(context, false)
    #expect(other.run("DELETE FROM Z_1TAGS"))
    try context.saveAndWait(toPersistentStore: true)
    #expect(try names() == [] && links == [0])
    // It deletes what is linked here, or links what is deleted here.
    try link(context)
    #expect(other.run("DELETE FROM ZTAG"))
    try context.saveAndWait(toPersistentStore: true)
    #expect(try links == [0])
    #expect(other.run("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'swift')"))
    #expect(other.run("INSERT INTO Z_1TAGS VALUES (1, 1)"))
    try context.performAndWait { try #require(try Post.find(post, in: $0)).delete() }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try links == [0])
  }

  @Test func `links that come back with a refused save are links again`() throws {
    let (a, b) = (bench.child("A", of: bench.mainContext), bench.child("B"))
    try link(a)
    try a.performAndWait { try #require(try Post.find(post, in: $0)).title = "mine" }
    try b.performAndWait { local in
      try #require(try Post.find(post, in: local)).title = "theirs"
      try local.context.save()
    }
    try b.saveAndWait(toPersistentStore: true)
    #expect(throws: CauldronError.self) { try a.saveAndWait(toPersistentStore: true) }
    #expect(try names() == [] && links == [0])
    try a.performAndWait { local in
      let post = try #require(try Post.find(post, in: local))
      #expect(post.tagNames == ["swift"])
      local.refresh(post, mergeChanges: true)
    }
    try a.saveAndWait(toPersistentStore: true)
    #expect(try names() == ["swift"] && links == [1])
  }

  @Test func `who has walked a link learns of a deletion that could not see it`() throws {
    let (a, b) = (bench.child("A"), bench.child("B"))
    let unread = try b.performAndWait { try #require(try Tag.find(tag, in: $0)).objectID }
    try link(a)
    try a.saveAndWait(toPersistentStore: true)
    try bench.onMain { main in
      let names = try Post.find(post, in: main)?.tagNames
      #expect(names == ["swift"])
    }
    try b.performAndWait { try #require(try Tag.find(unread, in: $0)).delete() }
    try b.saveAndWait(toPersistentStore: true)
    bench.settleMain()
    try bench.onMain { main in
      let post = try Post.find(post, in: main)
      #expect(post?.tags.count == 0 && post?.tagNames == [])
    }
  }

  @Test func `a link to what was deleted above is not shown, although the store has it`() throws {
    let (a, b) = (bench.child("A"), bench.child("B", of: bench.mainContext))
    try b.performAndWait { try #require(try Tag.find(tag, in: $0)).delete() }
    try link(a)
    try a.saveAndWait(toPersistentStore: true)
    try b.saveAndWait(toPersistentStore: false)
    let reader = bench.child("C", of: bench.mainContext)
    let shown = try reader.performAndWait { try Post.find(post, in: $0)?.tags.count }
    #expect(shown == 0)
    try b.saveAndWait(toPersistentStore: true)
    #expect(try names() == [] && links == [0])
  }

  @Test func `a deletion that a policy cancels leaves the links alone`() throws {
    let setup = bench.child()
    try link(setup)
    try setup.saveAndWait(toPersistentStore: true)
    let (a, b) = (bench.child("A"), bench.child("B"))
    try a.performAndWait { local in
      local.context.mergePolicy = .mergeByPropertyStoreTrump
      try #require(try Post.find(post, in: local)).delete()
    }
    try b.performAndWait { try #require(try Post.find(post, in: $0)).title = "theirs" }
    try b.saveAndWait(toPersistentStore: true)
    try a.saveAndWait(toPersistentStore: true)
    #expect(try names() == ["swift"] && links == [1])
  }

  @Test func `a save's link is written although the one it met is refused`() throws {
    let (a, b) = (bench.child("A", of: bench.mainContext), bench.child("B", of: bench.mainContext))
    try link(a)
    try a.performAndWait { try #require(try Post.find(post, in: $0)).title = "mine" }
    try link(b)
    try a.saveAndWait(toPersistentStore: false)
    try b.saveAndWait(toPersistentStore: false)
    let c = bench.child("C")
    try c.performAndWait { try #require(try Post.find(post, in: $0)).title = "theirs" }
    try c.saveAndWait(toPersistentStore: true)
    _ = try? bench.mainContext.saveAndWait(toPersistentStore: true)
    #expect(try names() == ["swift"] && links == [1])
  }

  @Test func `what was read anew counts, and not what a saved link is remembered as`() throws {
    let (a, b) = (bench.child("A"), bench.child("B"))
    try a.performAndWait { local in
      let post = try #require(try Post.find(post, in: local))
      let tag = try #require(try Tag.find(tag, in: local))
      post.tags.insert(tag)
      try local.context.saveAndWait(toPersistentStore: true)
      try link(b, false)
      try b.saveAndWait(toPersistentStore: true)
      local.refresh(post, mergeChanges: true)
      #expect(post.tags.isEmpty && !post.tags.contains(tag))
      post.tags.insert(tag)
      #expect(post.tagNames == ["swift"])
      try local.context.saveAndWait(toPersistentStore: true)
    }
    #expect(try names() == ["swift"])
  }
}
