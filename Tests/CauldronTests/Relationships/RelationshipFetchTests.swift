import Cauldron
import TestSupport
import Testing

/// What a relationship leads to, selected and sorted by the store.
@Suite(.againstHanging) struct RelationshipFetchTests {
  @Test(arguments: StoreKind.allCases)
  func `a to-many relationship is read as the condition and the order say`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    let context = bench.child("Editor", of: bench.mainContext)
    let (acme, other) = (Company.named("acme", in: context), Company.named("other", in: context))
    for age in 0..<6 { Person.named("p\(age)", age: age, at: acme, in: context) }
    Person.named("stranger", age: 4, at: other, in: context)
    try context.saveAndWait(toPersistentStore: true)
    // Unsaved changes count: one leaves, one comes, one grows old.
    let people = try Person.findAll(sortedBy: \.name, in: context)
    people[5].employer = nil
    people[0].age = 9
    Person.named("new", age: 7, at: acme, in: context)
    let found = try acme.employees.where(\.age >= 3, sortedBy: \.age, ascending: false)
    #expect(found.map(\.name) == ["p0", "new", "p4", "p3"])
    #expect(try acme.employees.where(\.age >= 3, sortedBy: \.age, limit: 1).map(\.age) == [3])
    #expect(try Set(acme.employees.where(\.age < 2).map(\.name)) == ["p1"])
    #expect(try acme.employees.sorted(by: \.name).first?.name == "new")
    #expect(try other.employees.where(\.age == 4).map(\.name) == ["stranger"])
    acme.delete()
    #expect(try acme.employees.where(\.age >= 0).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `so is one that is many-to-many`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Blog.model())
    let context = bench.child("Editor", of: bench.mainContext)
    let (swift, linux) = (Tag.named("swift", in: context), Tag.named("linux", in: context))
    for title in ["b", "a", "c"] { Post.titled(title, [swift], in: context) }
    let last = Post.titled("d", [swift, linux], in: context)
    try context.saveAndWait(toPersistentStore: true)
    last.tags.remove(swift)
    Post.titled("e", [swift], in: context)
    #expect(
      try swift.posts.where(\.title > "a", sortedBy: \.title).map(\.title) == ["b", "c", "e"])
    #expect(try linux.posts.where(\.title > "a").map(\.title) == ["d"])
  }

  @Test func `an ordered one keeps its order`() throws {
    let bench = try Bench(.file, model: Radio.model())
    let context = bench.child("Editor", of: bench.mainContext)
    let list = Playlist.named("p", in: context)
    for title in ["c", "a", "b", "d"] { Track.titled(title, on: list, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    list.tracks.move(from: 3, to: 0)
    #expect(try list.tracks.where(\.title != "a").map(\.title) == ["d", "c", "b"])
  }

  @Test func `an array that stands for a relationship is asked like one`() throws {
    let bench = try Bench()
    let context = bench.child("Editor", of: bench.mainContext)
    let people = (0..<3).map { Person.named("p\($0)", age: $0, in: context) }
    #expect(try ToMany(people).where(\.age > 0, sortedBy: \.name).map(\.age) == [1, 2])
    #expect(try ToMany<Person>([]).where(\.age > 0).isEmpty)
  }
}
