import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// A derived attribute comes and goes in a migration, and what keeps it with it.
@Suite(.againstHanging) struct DerivedMigrationTests {
  private static let page = EntityDescription.entity(
    "Page", .number("number"), .one("book", "Book", "pages"))

  private static func book(
    _ derivation: String?, isThere: Bool = true, _ others: PropertyDescription...
  ) -> EntityDescription {
    let count = AttributeDescription(
      name: "pagesCount", type: .integer64, derivation: derivation)
    let pages = PropertyDescription.many("pages", "Page", "book")
    return EntityDescription(
      name: "Book",
      properties: [.text("title"), pages] + others + (isThere ? [.attribute(count)] : []))
  }

  private static let plain = [book(nil, isThere: false), page]
  private static let derived = [book("pages.@count"), page]

  private func fill(_ context: ManagedObjectContext, _ counts: [Int]) throws {
    for count in counts {
      let book = try context.insertNewObject(forEntityName: "Book")
      try book.setValue("b\(count)", forKey: "title")
      for _ in 0..<count {
        try context.insertNewObject(forEntityName: "Page").setValue(book, forKey: "book")
      }
    }
  }

  private func counts(_ context: ManagedObjectContext) throws -> [Int?] {
    let books = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
    return books.sorted {
      ($0.value(forKey: "title") as? String ?? "") < ($1.value(forKey: "title") as? String ?? "")
    }
    .map { $0.value(forKey: "pagesCount") as? Int }
  }

  private func triggers(_ store: DayTwo) -> Int64 {
    OtherConnection(store.url).integers(
      "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")[0]
  }

  @Test func `it comes with its values and triggers, and goes without a loss`() throws {
    let store = try DayTwo()
    try store.open(Self.plain) { try fill($0, [0, 2, 5]) }
    #expect(triggers(store) == 0)
    try store.open(Self.derived) { context in
      #expect(try counts(context) == [0, 2, 5])
      try fill(context, [7])
    }
    #expect(triggers(store) == 5)
    #expect(try store.open(Self.derived) { try counts($0) } == [0, 2, 5, 7])
    try store.open(Self.plain) { _ in }
    #expect(triggers(store) == 0)
  }

  @Test func `an attribute that was set becomes one that is counted, and the other way round`()
    throws
  {
    let store = try DayTwo()
    try store.open([Self.book(nil), Self.page]) { context in
      try fill(context, [3])
      for book in try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")) {
        try book.setValue(99, forKey: "pagesCount")
      }
    }
    #expect(try store.open(Self.derived) { try counts($0) } == [3])
    try store.open([Self.book(nil), Self.page]) { context in
      #expect(try counts(context) == [3])
      try fill(context, [4])
    }
    #expect(triggers(store) == 0)
  }

  @Test func `tables that are made anew keep counting`() throws {
    let store = try DayTwo()
    try store.open(Self.derived) { try fill($0, [1, 2]) }
    let required = PropertyDescription.text("genre", isOptional: false, default: "none")
    let other = [Self.book("pages.@count", required), Self.page]
    try store.open(other) { context in
      #expect(try counts(context) == [1, 2])
      try fill(context, [6])
    }
    #expect(try store.open(other) { try counts($0) } == [1, 2, 6])
    #expect(triggers(store) == 5)
  }

  @Test func `a store that lacks its triggers gets them when it is opened, and is counted`() throws
  {
    let store = try DayTwo()
    try store.open(Self.derived) { try fill($0, [1, 2]) }
    let other = OtherConnection(store.url)
    for name in other.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      #expect(other.run("DROP TRIGGER \(name)"))
    }
    #expect(other.run("UPDATE ZBOOK SET ZPAGESCOUNT = 40"))
    #expect(try store.open(Self.derived) { try counts($0) } == [1, 2])
    #expect(triggers(store) == 5)
  }

  @Test func `verification tells of wrong numbers and of triggers that are others`() throws {
    let store = try DayTwo()
    try store.open(Self.derived) { try fill($0, [1, 2]) }
    let other = OtherConnection(store.url)
    #expect(other.run("UPDATE ZBOOK SET ZPAGESCOUNT = 40 WHERE Z_PK = 1"))
    #expect(
      other.run(
        "DROP TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE;"
          + "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE"
          + " BEGIN SELECT 1; END"))
    let model = try ManagedObjectModel(entities: Self.derived)
    let stack = try Stack(storeURL: store.url, model: model)
    let findings = try stack.coordinator.store.verify()
    #expect(
      findings.map(\.message) == [
        "The store has another trigger Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE, which keeps"
          + " Book.pagesCount.",
        "Book.pagesCount is not what it is derived from: pages.@count in 1 row (p1).",
      ])
    #expect(findings.map(\.kind) == [.triggerMissing, .valueDerived])
    try stack.close()
  }

  @Test func `triggers of somebody else are left alone, and no migration goes on over them`() throws
  {
    let store = try DayTwo()
    try store.open(Self.derived) { try fill($0, [1]) }
    let other = OtherConnection(store.url)
    #expect(other.run("CREATE TRIGGER mine AFTER INSERT ON ZPAGE BEGIN SELECT 1; END"))
    #expect(store.refusal(Self.plain)?.code == .migrationCannotInfer)
    #expect(triggers(store) == 6)
  }
}
