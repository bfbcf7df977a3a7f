import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Stores in which Core Data keeps a history are read, and not written.
///
/// These have a derived attribute, too. What enters its version hash is not known, so that the copies
/// are given the hashes of a model in which it is an attribute like others.
@Suite(
  .againstHanging,
  .enabled(if: AppleFixture.areThere, Fixtures.skip("CoreDataPlus")))
struct AppleHistoryTests {
  /// A copy of a store with the hashes of its model as it is known here.
  private func copy(_ fixture: AppleFixture, _ folder: TemporaryDirectory) throws -> URL {
    let url = try fixture.copy(to: folder)
    let fresh = folder.file("fresh.sqlite")
    try Stack(storeURL: fresh, model: fixture.model()).close()
    let file = OtherConnection(url)
    #expect(
      file.run(
        "ATTACH '\(fresh.path)' AS fresh;"
          + " UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM fresh.Z_METADATA)"))
    return url
  }

  @Test(arguments: AppleFixture.followed)
  func `a writable opening is refused, and the file stays as it is`(_ fixture: AppleFixture) throws
  {
    let folder = try TemporaryDirectory()
    let url = try copy(fixture, folder)
    let before = try Data(contentsOf: url)
    let error = cauldronError { _ = try Stack(storeURL: url, model: fixture.model()) }
    #expect(error?.code == .storeUnsupported && error?.path == url.path)
    #expect(
      error?.description == "Cannot open store \"\(url.path)\": it keeps a history (table ACHANGE),"
        + " in which saves would be missing. Set readOnly in the configuration to read it.")
    #expect(try Data(contentsOf: url) == before)
  }

  @Test(arguments: AppleFixture.followed)
  func `it is read completely, and a save is refused`(_ fixture: AppleFixture) throws {
    let folder = try TemporaryDirectory()
    let url = try copy(fixture, folder)
    let (bytes, rows, model) = try (Data(contentsOf: url), AppleRows(url), fixture.model())
    var configuration = StackConfiguration()
    configuration.readOnly = true
    let stack = try Stack(storeURL: url, model: model, configuration: configuration)
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let objects = try context.all(of: model)
    #expect(Set(objects.map(\.entity.name)).isSuperset(of: ["Author", "Book", "Feedback", "Page"]))
    try rows.check(objects, model)
    let book = try #require(objects.first { $0.entity.name == "Book" })
    let pages = try #require(book.value(forKey: "pages") as? [ManagedObject])
    #expect(pages.count == book.value(forKey: "pagesCount") as? Int)
    try book.setValue("title here", forKey: "title")
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .storeReadOnly)
    try stack.close()
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test(arguments: AppleFixture.followed, [false, true])
  func `the derived attribute makes its model another one, also for reading`(
    _ fixture: AppleFixture, _ readOnly: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let url = try fixture.copy(to: folder)
    var configuration = StackConfiguration()
    configuration.readOnly = readOnly
    configuration.migration = .never
    let error = cauldronError {
      _ = try Stack(storeURL: url, model: fixture.model(), configuration: configuration)
    }
    #expect(error?.code == .storeIncompatibleModel && error?.entity == "Book")
  }
}
