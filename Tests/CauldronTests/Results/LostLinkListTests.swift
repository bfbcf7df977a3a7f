import Cauldron
import TestSupport
import Testing

/// A deletion takes along links that its context could not see, and no change tells of these. A long run
/// found a list that had missed one, in a timing that is not known; this is the plain case.
@Suite(.againstHanging) struct LostLinkListTests {
  @Test func `a list sees what a deletion has taken along`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let (sibling, second) = (bench.child("Sibling"), bench.child("Second"))
    second.performAndWait { _ in
      Post.create(in: second).title = "post"
      Tag.create(in: second).name = "red"
    }
    try second.saveAndWait(toPersistentStore: true)
    let list = try bench.onMain { main in
      let list = FetchedResultsController(Post.where { $0.tags.any { $0.name == "red" } }, in: main)
      try list.performFetchAndWait()
      return Lent(list)
    }
    func shown() throws -> Int {
      try list.value.settleAndWait()
      return bench.onMain { _ in list.value.snapshot.count }
    }
    try sibling.performAndWait { _ in
      try #require(try Tag.findFirst(in: sibling)).delete()
      sibling.processPendingChanges()
    }
    try second.performAndWait { _ in
      let post = try #require(try Post.findFirst(in: second))
      post.tags.insert(try #require(try Tag.findFirst(in: second)))
    }
    try second.saveAndWait(toPersistentStore: true)
    #expect(try shown() == 1)
    try sibling.saveAndWait(toPersistentStore: true)
    #expect(try shown() == 0)
  }
}
