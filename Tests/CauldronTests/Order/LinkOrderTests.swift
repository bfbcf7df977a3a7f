import Cauldron
import TestSupport
import Testing

/// Links that code makes and takes away in a context, and asks for and changes in a child, in one event.
@Suite(.againstHanging) struct LinkOrderTests {
  /// A context on the main queue, or one that the code has claimed.
  enum Child: CaseIterable { case onMain, claimed }

  /// A post and four tags, in the main context and in a child of it.
  private struct Scene {
    let post: Post
    let tags: [Tag]
    let sheet: ManagedObjectContext
    let copy: Post
    let copies: [Tag]

    init(_ main: ManagedObjectContext, _ child: Child, _ bench: Bench, isLinked: Bool) throws {
      post = Post.titled("a", in: main)
      tags = (0..<4).map { Tag.named("\($0)", in: main) }
      if isLinked { post.tags.insert(contentsOf: tags) }
      try main.saveAndWait(toPersistentStore: true)
      sheet =
        child == .onMain
        ? ManagedObjectContext(.main, parent: main, name: "Sheet")
        : bench.child("Sheet", of: main)
      copy = post.in(sheet)
      copies = tags.map { [sheet] in $0.in(sheet) }
    }
  }

  private func run(
    _ layout: StackLayout, _ child: Child, isLinked: Bool, _ edit: (Scene) throws -> Void
  ) throws -> [String] {
    let bench = try Bench(.file, model: Blog.model()) { $0.layout = layout }
    try bench.onMain { main in
      let scene = try Scene(main, child, bench, isLinked: isLinked)
      try edit(scene)
      try scene.sheet.save()
      main.processPendingChanges()
      #expect(scene.post.tags.count == scene.copy.tags.count)
      try main.saveAndWait(toPersistentStore: true)
    }
    return try Post.titled("a", of: bench.committed())?.tagNames ?? []
  }

  @Test(arguments: StackLayout.allCases, Child.allCases)
  func `a link that a context has just taken away is made again by a child`(
    _ layout: StackLayout, _ child: Child
  ) throws {
    let names = try run(layout, child, isLinked: true) { scene in
      scene.post.tags.remove(scene.tags[0])
      #expect(!scene.copy.tags.contains(scene.copies[0]))
      scene.copy.tags.insert(scene.copies[0])
      #expect(scene.copy.tags.contains(scene.copies[0]))
    }
    #expect(names == ["0", "1", "2", "3"])
  }

  @Test(arguments: StackLayout.allCases, Child.allCases)
  func `a link that a context has just made is taken away by a child`(
    _ layout: StackLayout, _ child: Child
  ) throws {
    let names = try run(layout, child, isLinked: false) { scene in
      scene.post.tags.insert(scene.tags[0])
      #expect(scene.copies[0].posts.contains(scene.copy))
      scene.copy.tags.remove(scene.copies[0])
      #expect(!scene.copy.tags.contains(scene.copies[0]))
    }
    #expect(names == [])
  }

  @Test(arguments: StackLayout.allCases, Child.allCases)
  func `links that a context has just taken away are made again all at once`(
    _ layout: StackLayout, _ child: Child
  ) throws {
    let names = try run(layout, child, isLinked: true) { scene in
      scene.post.tags.removeAll()
      scene.copy.tags.insert(contentsOf: scene.copies)
    }
    #expect(names == ["0", "1", "2", "3"])
  }

  @Test(arguments: StackLayout.allCases, Child.allCases)
  func `links that a context has just made are not made twice, and taken away by a child`(
    _ layout: StackLayout, _ child: Child
  ) throws {
    let names = try run(layout, child, isLinked: false) { scene in
      scene.post.tags.insert(contentsOf: scene.tags)
      scene.copy.tags.insert(contentsOf: scene.copies)
      #expect(!scene.sheet.hasChanges)
      for copy in scene.copies.dropFirst() { copy.posts.remove(scene.copy) }
    }
    #expect(names == ["0"])
  }

  @Test(arguments: StackLayout.allCases, Child.allCases)
  func `a link that both have made, and the child takes away, is gone`(
    _ layout: StackLayout, _ child: Child
  ) throws {
    let names = try run(layout, child, isLinked: false) { scene in
      scene.copy.tags.insert(scene.copies[0])
      scene.post.tags.insert(scene.tags[0])
      scene.copy.tags.remove(scene.copies[0])
    }
    #expect(names == [])
  }
}
