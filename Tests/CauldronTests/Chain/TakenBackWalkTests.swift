import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What a child has walked and its parent has taken back before it saved.
@Suite(.againstHanging) struct TakenBackWalkTests {
  @Test(arguments: StoreKind.allCases)
  func `a reference that was set and set back`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let parent = bench.child("Parent")
    let (acme, jack) = (Company.named("acme", in: parent), Person.named("jack", in: parent))
    try parent.save()
    jack.employer = acme
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let copy = try #require(try Company.find(acme.objectID, in: child))
    #expect(copy.employees.count == 1)
    (jack.employer, jack.age) = (nil, 1)
    try parent.save()
    child.processPendingChanges()
    #expect(copy.employees.isEmpty)
  }

  @Test func `a new object that has moved on`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let companies = ["acme", "other"].map { Company.named($0, in: parent) }
    try parent.save()
    let jack = Person.named("jack", at: companies[0], in: parent)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let copies = try companies.map { try #require(try Company.find($0.objectID, in: child)) }
    #expect(copies.map(\.employees.count) == [1, 0])
    jack.employer = companies[1]
    try parent.save()
    child.processPendingChanges()
    #expect(copies.map(\.employees.count) == [0, 1])
  }

  @Test(arguments: [false, true])
  func `what leaves nothing to save`(_ rollsBack: Bool) throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let acme = Company.named("acme", in: parent)
    try parent.save()
    let jack = Person.named("jack", at: acme, in: parent)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let copy = try #require(try Company.find(acme.objectID, in: child))
    #expect(copy.employees.count == 1)
    if rollsBack { parent.rollback() } else { jack.delete() }
    try parent.save()
    child.processPendingChanges()
    #expect(copy.employees.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a link that was made and taken away, or the other way round`(_ isLinked: Bool) throws {
    let bench = try Bench(model: Blog.model())
    let parent = bench.child("Parent")
    let swift = Tag.named("swift", in: parent)
    let post = Post.titled("one", isLinked ? [swift] : [], in: parent)
    try parent.save()
    func turn() {
      if post.tags.isEmpty { post.tags.insert(swift) } else { post.tags.remove(swift) }
      parent.processPendingChanges()
    }
    turn()
    let child = bench.child("Child", of: parent)
    let (one, tag) = try (
      #require(try Post.find(post.objectID, in: child)),
      #require(try Tag.find(swift.objectID, in: child))
    )
    #expect(one.tags.isEmpty == isLinked && tag.posts.isEmpty == isLinked)
    turn()
    try parent.save()
    child.processPendingChanges()
    #expect(one.tags.isEmpty != isLinked && tag.posts.isEmpty != isLinked)
  }

  @Test func `a walk of what is saved needs no second one`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let acme = Company.named("acme", in: parent)
    let jack = Person.named("jack", at: acme, in: parent)
    try parent.save()
    acme.rating = 1
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let copy = try #require(try Company.find(acme.objectID, in: child))
    Person.named("jill", at: copy, in: child)
    #expect(copy.employees.count == 2)
    #expect(child.core.walks.walksOfUnsaved.objects.isEmpty)
    jack.age = 2
    parent.processPendingChanges()
    child.refresh(copy, mergeChanges: true)
    #expect(copy.employees.count == 2)
    #expect(child.core.walks.walksOfUnsaved.objects.count == 1)
    try parent.save()
    child.processPendingChanges()
    #expect(child.core.walks.walksOfUnsaved.objects.isEmpty && copy.employees.count == 2)
  }

  @Test func `objects that the context has let go are not noted for ever`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    for number in 0..<300 { _ = Company.named("\(number)", in: parent) }
    Person.named("jack", in: parent)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let ids = try Company.findAll(in: parent).map(\.objectID)
    for id in ids { #expect(try Company.find(id, in: child)?.employees.isEmpty == true) }
    #expect(child.core.walks.walksOfUnsaved.objects.count == 300)
    child.core.registry.map.removeAll()
    #expect(try Company.find(ids[0], in: child)?.employees.isEmpty == true)
    #expect(child.core.walks.walksOfUnsaved.objects.count == 1)
  }
}
