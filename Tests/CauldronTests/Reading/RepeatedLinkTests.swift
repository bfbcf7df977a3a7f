import Cauldron
import TestSupport
import Testing

/// What two contexts have linked alike is one link, also where the relationships of many are read at once.
@Suite(.againstHanging) struct RepeatedLinkTests {
  @Test func `a link that a context and its parent have made is seen once`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let (editor, second) = (
      bench.child("Editor", of: bench.mainContext), bench.child("Second", of: bench.mainContext)
    )
    try second.performAndWait { _ in
      for number in 0..<8 { Post.titled("\(number)", in: second) }
      Tag.create(in: second).name = "red"
      try second.save()
    }
    try bench.mainContext.saveAndWait(toPersistentStore: true)
    func link(_ context: ManagedObjectContext) throws {
      try #require(try Post.titled("3", of: context)).tags
        .insert(try #require(try Tag.findFirst(in: context)))
    }
    try editor.performAndWait { _ in try link(editor) }
    try second.performAndWait { _ in
      try link(second)
      try second.save()
    }
    let tags = try editor.performAndWait { _ in
      try Post.findAll(sortedBy: \.title, in: editor).map(\.tags.count)
    }
    #expect(tags == [0, 0, 0, 1, 0, 0, 0, 0])
  }
}
