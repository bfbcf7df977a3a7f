import Cauldron
import Foundation
import TestSupport
import Testing

/// What relationships lead to from which none leads back.
@Entity final class LentBook: ManagedObject {
  var title: String = ""
}

/// Relationships that are one-way, and such that are their own inverse.
@Entity class Lender: ManagedObject {
  var name: String = ""
  @Relationship(isOneWay: true) var lastRead: LentBook?
  @Relationship(isOneWay: true) var owned: ToMany<LentBook>
  @Relationship(isOneWay: true) var wishes: OrderedToMany<LentBook>
  @Relationship(inverse: "friends") var friends: ToMany<Lender>
  @Relationship(inverse: "spouse") var spouse: Lender?
}

/// A kind of what the relationships lead from.
@Entity final class Librarian: Lender {
  var desk: Int = 0
  @Relationship(isOneWay: true) var boss: Librarian?
}

@Suite(.againstHanging, .ownThread) struct OneWayTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(
      .file, model: ManagedObjectModel(LentBook.self, Lender.self, Librarian.self))
    context = bench.child()
  }

  private func book(_ title: String) -> LentBook {
    let book = LentBook.create(in: context)
    book.title = title
    return book
  }

  private func lender(_ name: String) -> Lender {
    let lender = Lender.create(in: context)
    lender.name = name
    return lender
  }

  private func save() throws { try context.saveAndWait(toPersistentStore: true) }

  private func findings() throws -> [StoreFinding] {
    try bench.stack.coordinator.store.verify()
  }

  @Test func `what a one-way reference leads to is told nothing, and may go`() throws {
    let (ann, book) = (lender("Ann"), book("Emma"))
    try save()
    ann.lastRead = book
    context.processPendingChanges()
    #expect(ann.changedValues().keys.sorted() == ["lastRead"])
    #expect(!book.hasChanges && book.changedValues().isEmpty)
    try save()
    book.delete()
    try save()
    ann.name = "Anne"
    try save()
    let observer = bench.committed()
    let found = try #require(try Lender.findFirst(in: observer))
    #expect(found.name == "Anne")
    #expect(found.lastRead.map { $0.isGone || $0.isFault } != false)
    #expect(try findings().isEmpty)
  }

  @Test func `an object is in the one-way relationship of one owner`() throws {
    let (ann, bob, book) = (lender("Ann"), lender("Bob"), book("Emma"))
    ann.owned.insert(book)
    try save()
    bob.owned.insert(book)
    #expect(ann.owned.isEmpty && bob.owned.map { $0.title } == ["Emma"])
    #expect(Set(book.changedValues().keys) == [])
    #expect(book.committedValues(forKeys: nil).keys.sorted() == ["title"])
    try save()
    let observer = bench.committed()
    let owners = try Lender.findAll(matching: "ANY owned.title == %@", "Emma", in: observer)
    #expect(owners.map { $0.name } == ["Bob"])
    bob.delete()
    try save()
    #expect(try LentBook.findAll(in: observer).count == 1)
    #expect(try findings().isEmpty)
  }

  @Test func `a one-way order is kept, undone and moved`() throws {
    let undo = UndoManager()
    context.undoManager = undo
    let (ann, a, b, c) = (lender("Ann"), book("a"), book("b"), book("c"))
    for book in [a, b, c] { ann.wishes.append(book) }
    try save()
    ann.wishes.move(from: 2, to: 0)
    context.processPendingChanges()
    #expect(ann.wishes.map { $0.title } == ["c", "a", "b"])
    try save()
    let observer = bench.committed()
    #expect(try Lender.findFirst(in: observer)?.wishes.map { $0.title } == ["c", "a", "b"])
    try undo.undo()
    #expect(ann.wishes.map { $0.title } == ["a", "b", "c"])
  }

  @Test func `friends are friends of one another, in every context and after undo`() throws {
    let (ann, bob, eve) = (lender("Ann"), lender("Bob"), lender("Eve"))
    ann.friends.insert(bob)
    eve.friends.insert(ann)
    #expect(ann.friends.map { $0.name }.sorted() == ["Bob", "Eve"])
    #expect(bob.friends.map { $0.name } == ["Ann"])
    try save()
    let observer = bench.committed()
    let found = try Lender.findAll(sortedBy: \.name, in: observer)
    #expect(
      found.map { $0.friends.map { $0.name }.sorted() } == [["Bob", "Eve"], ["Ann"], ["Ann"]])
    let undo = UndoManager()
    context.undoManager = undo
    bob.friends.remove(ann)
    context.processPendingChanges()
    #expect(ann.friends.map { $0.name } == ["Eve"])
    try undo.undo()
    #expect(ann.friends.map { $0.name }.sorted() == ["Bob", "Eve"] && bob.friends.count == 1)
    ann.delete()
    try save()
    #expect(bob.friends.isEmpty && eve.friends.isEmpty)
    #expect(try findings().isEmpty)
  }

  @Test func `an object may be its own friend`() throws {
    let ann = lender("Ann")
    ann.friends.insert(ann)
    try save()
    #expect(ann.friends.map { $0.name } == ["Ann"])
    ann.friends.remove(ann)
    try save()
    #expect(ann.friends.isEmpty)
  }

  @Test func `spouses are those of one another`() throws {
    let (ann, bob, eve) = (lender("Ann"), lender("Bob"), lender("Eve"))
    ann.spouse = bob
    try save()
    #expect(bob.spouse === ann)
    eve.spouse = ann
    #expect(bob.spouse == nil && ann.spouse === eve)
    try save()
    let observer = bench.committed()
    let found = try Lender.findAll(sortedBy: \.name, in: observer)
    #expect(found.map { $0.spouse?.name } == ["Eve", nil, "Ann"])
    #expect(try findings().isEmpty)
    eve.delete()
    try save()
    #expect(ann.spouse == nil)
  }

  @Test func `a store's copy of its model has one-way relationships`() throws {
    _ = lender("Ann")
    try save()
    let url = try #require(bench.stack.coordinator.storeURL)
    let model = try ManagedObjectModel(contentsOf: url)
    let hashes = bench.stack.coordinator.managedObjectModel.entityVersionHashesByName
    #expect(model.entityVersionHashesByName == hashes)
    let names = model.properties(ofEntityNamed: "LentBook").map(\.name)
    #expect(names == ["title"])
  }

  @Test func `a subclass of a class with hidden ends has its own values`() throws {
    let eve = Librarian.create(in: context)
    (eve.name, eve.desk) = ("Eve", 7)
    let ann = lender("Ann")
    ann.friends.insert(eve)
    eve.boss = eve
    eve.wishes.append(book("x"))
    try save()
    let found = try #require(try Librarian.findFirst(where: \.desk == 7, in: bench.committed()))
    #expect(found.name == "Eve" && found.boss === found)
    #expect(found.friends.map { $0.name } == ["Ann"] && found.wishes.count == 1)
    #expect(!"\(found)".contains("("), "\(found)")
    #expect(try findings().isEmpty)
  }

  @Test func `a part of a one-way relationship is read by the store`() throws {
    let ann = lender("Ann")
    for title in ["a", "b", "c"] { ann.owned.insert(book(title)) }
    #expect(try ann.owned.where(\.title >= "b", sortedBy: \.title).map { $0.title } == ["b", "c"])
    try save()
    #expect(try ann.owned.sorted(by: \.title).map { $0.title } == ["a", "b", "c"])
  }

  @Test func `a relationship gains and loses its inverse without a loss`() throws {
    func model(_ isOneWay: Bool) throws -> ManagedObjectModel {
      var owned = RelationshipDescription(
        name: "owned", destination: "Book", inverse: isOneWay ? nil : "owner", isToMany: true)
      owned.isOneWay = isOneWay
      let owner = RelationshipDescription(
        name: "owner", destination: "Reader", inverse: "owned", isToMany: false)
      return try ManagedObjectModel(entities: [
        EntityDescription(name: "Reader", properties: [.relationship(owned)]),
        EntityDescription(name: "Book", properties: isOneWay ? [] : [.relationship(owner)]),
      ])
    }
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    for round in 0..<3 {
      let stack = try Stack(storeURL: url, model: model(round != 1))
      let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
      try context.performAndWait { _ in
        if round == 0 {
          let reader = try context.insertNewObject(forEntityName: "Reader")
          let book = try context.insertNewObject(forEntityName: "Book")
          try reader.setValue([book], forKey: "owned")
          try context.saveAndWait(toPersistentStore: true)
        }
        let reader = try context.fetch(FetchRequest<ManagedObject>(entityName: "Reader")).first
        #expect((reader?.value(forKey: "owned") as? [ManagedObject])?.count == 1, "\(round)")
      }
      try stack.close()
    }
  }

  @Test func `a denied deletion is told once`() throws {
    var friends = RelationshipDescription(
      name: "friends", destination: "Person", inverse: "friends", isToMany: true)
    friends.deleteRule = .deny
    let model = try ManagedObjectModel(
      entities: [EntityDescription(name: "Person", properties: [.relationship(friends)])])
    let bench = try Bench(.file, model: model)
    let context = bench.committed()
    let people = try (0..<2).map { _ in try context.insertNewObject(forEntityName: "Person") }
    try people[0].setValue([people[1]], forKey: "friends")
    try context.save()
    people[0].delete()
    let error = #expect(throws: CauldronError.self) { try context.save() }
    #expect(error?.code == .validationDenied, "\(error?.description ?? "")")
  }
}
