import Cauldron
import CauldronModel
import CauldronModelFile
import Foundation
import TestSupport
import Testing

/// What Core Data has made of `pages.@count`, and what is made here.
@Suite(.againstHanging, .enabled(if: AppleFixture.areThere, Fixtures.skip("CoreDataPlus")))
struct AppleCountTests {
  private static let triggers =
    "SELECT name || '|' || tbl_name || '|' || sql FROM sqlite_master WHERE type = 'trigger'"
    + " ORDER BY rowid"

  private func model(_ version: Int) throws -> ManagedObjectModel {
    let entities = AppleModels.library(version: version).map { entity in
      var entity = entity
      entity.properties = entity.properties.map { property in
        guard case .attribute(var attribute) = property, attribute.name == "pagesCount" else {
          return property
        }
        attribute.derivation = "pages.@count"
        return .attribute(attribute)
      }
      return entity
    }
    return try ManagedObjectModel(entities: entities)
  }

  @Test(arguments: [1, 2])
  func `the triggers are Core Data's to the letter`(_ version: Int) throws {
    let folder = try TemporaryDirectory()
    let theirs = try AppleFixture.followed[version - 1].copy(to: folder)
    let ours = folder.file("ours.sqlite")
    try Stack(storeURL: ours, model: model(version)).close()
    let expected = OtherConnection(theirs).texts(Self.triggers)
    #expect(expected.count == 5)
    #expect(OtherConnection(ours).texts(Self.triggers) == expected)
  }

  @Test(arguments: [1, 2])
  func `a store of Core Data's is read and written, and counts on`(_ version: Int) throws {
    let folder = try TemporaryDirectory()
    let url = try AppleFixture.followed[version - 1].copy(to: folder)
    let fresh = folder.file("fresh.sqlite")
    try Stack(storeURL: fresh, model: model(version)).close()
    let file = OtherConnection(url)
    // The hash of a derived attribute is not known; and what keeps a history is not written.
    #expect(
      file.run(
        "ATTACH '\(fresh.path)' AS fresh;"
          + " UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM fresh.Z_METADATA);"
          + " DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING"))
    let stack = try Stack(storeURL: url, model: model(version))
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    let books = try context.fetch(request).sorted {
      $0.value(forKey: "pagesCount") as? Int ?? 0 > $1.value(forKey: "pagesCount") as? Int ?? 0
    }
    #expect(books.count > 1)
    for book in books {
      let pages = try #require(book.value(forKey: "pages") as? [ManagedObject])
      #expect(book.value(forKey: "pagesCount") as? Int == pages.count)
    }
    let pages = try #require(books[0].value(forKey: "pages") as? [ManagedObject])
    let before = try books.map { try #require($0.value(forKey: "pagesCount") as? Int) }
    try pages[0].setValue(books[1], forKey: "book")
    try context.saveAndWait(toPersistentStore: true)
    #expect(books[0].value(forKey: "pagesCount") as? Int == before[0] - 1)
    #expect(books[1].value(forKey: "pagesCount") as? Int == before[1] + 1)
    try stack.close()
    #expect(
      file.integers(
        "SELECT count(*) FROM ZBOOK AS b WHERE ZPAGESCOUNT <>"
          + " (SELECT count(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK)") == [0])
  }
}
