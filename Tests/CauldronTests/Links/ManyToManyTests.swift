import Cauldron
import TestSupport
import Testing

/// Many-to-many relationships in one context, and through the chain to the store and back.
@Suite(.againstHanging) struct ManyToManyTests {
  @Test func `both sides are in step at once, and nothing is linked twice`() throws {
    let bench = try Bench(model: Blog.model())
    let context = bench.child()
    let (swift, linux) = (Tag.named("swift", in: context), Tag.named("linux", in: context))
    let post = Post.titled("a", [swift, linux], in: context)
    swift.posts.insert(post)
    #expect(post.tagNames == ["linux", "swift"] && swift.titles == ["a"] && linux.titles == ["a"])
    #expect(post.tags.count == 2 && post.tags.contains(swift) && swift.posts.contains(post))
    post.tags.remove(linux)
    #expect(post.tagNames == ["swift"] && linux.posts.isEmpty && !linux.posts.contains(post))
    post.tags = [linux]
    #expect(post.tagNames == ["linux"] && swift.posts.isEmpty && linux.titles == ["a"])
  }

  @Test(arguments: StoreKind.allCases)
  func `links are saved, found by other contexts, and taken away again`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Blog.model())
    let context = bench.child()
    let tags = ["swift", "linux", "sqlite"].map { Tag.named($0, in: context) }
    Post.titled("a", tags, in: context)
    Post.titled("b", [tags[0]], in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    #expect(try Post.titled("a", of: other)?.tagNames == ["linux", "sqlite", "swift"])
    #expect(try Tag.named("swift", of: other)?.titles == ["a", "b"])
    let post = try #require(try Post.titled("a", of: other))
    try post.tags.remove(#require(try Tag.named("swift", of: other)))
    #expect(other.hasChanges)
    try other.saveAndWait(toPersistentStore: true)
    #expect(!other.hasChanges)
    let third = bench.committed()
    #expect(try Post.titled("a", of: third)?.tagNames == ["linux", "sqlite"])
    #expect(try Tag.named("swift", of: third)?.titles == ["b"])
  }

  @Test func `the file has Core Data's join tables`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let topic = Topic.create(in: context)
    let (a, b) = (Post.titled("a", [topic], in: context), Post.titled("b", in: context))
    a.quotes.insert(b)
    try context.saveAndWait(toPersistentStore: true)
    let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(file.integers("SELECT Z_1POSTS FROM Z_1TAGS WHERE Z_2TAGS = 1") == [1])
    #expect(
      file.integers("SELECT Z_1QUOTES FROM Z_1QUOTEDBY WHERE Z_1QUOTEDBY = 1") == [2])
    #expect(
      file.integers(
        "SELECT count(*) FROM sqlite_master WHERE name = 'Z_1TAGS_Z_2TAGS_INDEX'") == [1])
    #expect(file.integers("SELECT count(*) FROM Z_PRIMARYKEY") == [3])
    let reopened = try bench.reopened()
    let reader = reopened.child()
    #expect(try Post.titled("a", of: reader)?.tags.first { $0 is Topic } != nil)
    #expect(try Post.titled("b", of: reader)?.quotedBy.map(\.title) == ["a"])
  }

  @Test func `a child's links reach its parent, its siblings and the main context`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let setup = bench.child()
    let tag = Tag.named("swift", in: setup)
    let post = Post.titled("a", in: setup)
    let ids = (tag.objectID, post.objectID)
    try setup.saveAndWait(toPersistentStore: true)
    try bench.onMain { main in
      let tag = try #require(try Tag.find(ids.0, in: main))
      #expect(tag.posts.isEmpty)
      let child = bench.child("Editor", of: main)
      try child.performAndWait { local in
        try #require(try Post.find(ids.1, in: local)).tags
          .insert(#require(try Tag.find(ids.0, in: local)))
        try local.context.saveAndWait(toPersistentStore: false)
      }
      main.processPendingChanges()
      #expect(tag.titles == ["a"] && main.hasChanges)
      #expect(
        main.insertedObjects.isEmpty
          && main.registeredObjects.allSatisfy { $0 is Tag || $0 is Post })
      try main.save()
    }
    #expect(try Tag.named("swift", of: bench.committed())?.titles == [])
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try Tag.named("swift", of: bench.committed())?.titles == ["a"])
  }

  @Test func `a rollback takes links back, and gives back what was unlinked`() throws {
    let bench = try Bench(model: Blog.model())
    let context = bench.child()
    let (swift, linux) = (Tag.named("swift", in: context), Tag.named("linux", in: context))
    let post = Post.titled("a", [swift], in: context)
    try context.saveAndWait(toPersistentStore: true)
    post.tags.remove(swift)
    post.tags.insert(linux)
    context.processPendingChanges()
    #expect(post.tagNames == ["linux"])
    context.rollback()
    #expect(post.tagNames == ["swift"] && swift.titles == ["a"] && linux.posts.isEmpty)
    #expect(!context.hasChanges)
    post.tags.insert(linux)
    context.rollback()
    #expect(post.tagNames == ["swift"])
  }

  @Test func `what is unlinked and linked again within a save is as it was`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let swift = Tag.named("swift", in: context)
    let post = Post.titled("a", [swift], in: context)
    try context.saveAndWait(toPersistentStore: true)
    for processes in [false, true] {
      post.tags.remove(swift)
      if processes { context.processPendingChanges() }
      #expect(post.tags.isEmpty && swift.posts.isEmpty)
      swift.posts.insert(post)
      if processes { context.processPendingChanges() }
      #expect(post.tagNames == ["swift"])
      try context.saveAndWait(toPersistentStore: true)
      #expect(try Post.titled("a", of: bench.committed())?.tagNames == ["swift"])
    }
    post.tags.remove(swift)
    context.processPendingChanges()
    post.tags.insert(swift)
    context.processPendingChanges()
    post.tags.remove(swift)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Post.titled("a", of: bench.committed())?.tagNames == [])
    #expect(post.tags.isEmpty && swift.posts.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a deletion takes the links of the object away`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Blog.model())
    let context = bench.child()
    let (swift, linux) = (Tag.named("swift", in: context), Tag.named("linux", in: context))
    let post = Post.titled("a", [swift, linux], in: context)
    try context.saveAndWait(toPersistentStore: true)
    swift.delete()
    context.processPendingChanges()
    #expect(post.tagNames == ["linux"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Post.titled("a", of: bench.committed())?.tagNames == ["linux"])
    if let url = bench.stack.coordinator.storeURL {
      #expect(OtherConnection(url).integers("SELECT count(*) FROM Z_1TAGS") == [1])
    }
  }

  @Test func `objects with provisional keys are linked, and follow`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    let context = bench.child()
    let (swift, linux) = (Tag.named("swift", in: context), Tag.named("linux", in: context))
    let post = Post.titled("a", [swift], in: context)
    context.processPendingChanges()
    post.tags.insert(linux)
    #expect(other.run("COMMIT"))
    try context.saveAndWait(toPersistentStore: true)
    #expect(post.tagNames == ["linux", "swift"] && linux.titles == ["a"])
    post.tags.remove(swift)
    #expect(post.tagNames == ["linux"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Post.titled("a", of: bench.committed())?.tagNames == ["linux"])
    #expect(
      other.integers("SELECT count(*) FROM Z_1TAGS WHERE Z_1POSTS > 0 AND Z_2TAGS > 0") == [1])
  }

  @Test func `the ends of links are told of as updated, and links are counted`() throws {
    let bench = try Bench(model: Blog.model())
    let context = bench.child()
    let (swift, linux) = (Tag.named("swift", in: context), Tag.named("linux", in: context))
    let post = Post.titled("a", [swift], in: context)
    let first = try context.saveAndWait(toPersistentStore: true).summary
    #expect(first?.inserted == 3 && first?.links == 1)
    let changes = Locked<[ContextChange]>([])
    let observation = context.observe { change in changes.withLock { $0.append(change) } }
    post.tags = [linux]
    let second = try context.saveAndWait(toPersistentStore: true).summary
    #expect(second?.inserted == 0 && second?.updated == 0 && second?.deleted == 0)
    #expect(second?.links == 2)
    for change in changes.withLock({ $0 }) {
      #expect(Set(change.updated) == [swift.objectID, linux.objectID, post.objectID])
      #expect(change.inserted.isEmpty && change.deleted.isEmpty && change.refreshed.isEmpty)
      #expect(change.changedProperties(of: post.objectID) == ["tags"])
    }
    changes.withLock { $0 = [] }
    post.tags.insert(swift)
    context.rollback()
    for change in changes.withLock({ $0 }) {
      #expect(change.deleted.isEmpty && change.inserted.isEmpty)
    }
    observation.cancel()
    #expect(context.registeredObjects.count == 3)
  }

  @Test func `a refresh takes a deletion back with the links`() throws {
    let bench = try Bench(model: Blog.model())
    let context = bench.child()
    let post = Post.titled("a", [Tag.named("swift", in: context)], in: context)
    try context.saveAndWait(toPersistentStore: true)
    post.delete()
    context.processPendingChanges()
    context.refresh(post, mergeChanges: false)
    #expect(post.tagNames == ["swift"] && !context.hasChanges)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Post.titled("a", of: bench.committed())?.tagNames == ["swift"])
  }

  @Test func `what is linked and deleted in one event leaves nothing to save`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let tag = Tag.named("swift", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    Post.titled("x", [tag], in: context).delete()
    tag.name = "new"
    #expect(other.run("COMMIT"))
    let summary = try context.saveAndWait(toPersistentStore: true).summary
    #expect(summary?.links == 0 && summary?.updated == 1 && tag.posts.isEmpty)
  }

  @Test func `many objects with links are deleted in proportion`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let tags = (0..<10).map { Tag.named("\($0)", in: context) }
    for number in 0..<4_000 {
      Post.titled("\(number)", [tags[number % 10]], in: context)
    }
    try context.saveAndWait(toPersistentStore: true)
    let clock = ContinuousClock()
    let time = try clock.measure {
      for post in try Post.findAll(in: context) { post.delete() }
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(time < .seconds(60 * slack), "the square of the number would take minutes")
    #expect(tags[0].posts.isEmpty)
  }
}
