import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("What a description of an old model cannot say is not migrated")
struct UnsayableModelTests {
  private static let store = "CoreDataPlus/SampleModel2/Fixtures/SampleModel2_V1.sqlite"

  @Test(
    "A copy with a derived attribute is the model of its store",
    .enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")))
  func derived() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(Self.store)), to: url)
    let connection = try Connection(path: url.path, mode: .readOnly, busyTimeout: 1)
    guard case .store(let metadata, _) = try StoreInspector.read(connection, of: StoreFile(url))
    else {
      Issue.record("the fixture is no store")
      return
    }
    let copy = ModelCopy(connection: connection)
    #expect(try copy.isThere && copy.isForeign)
    #expect(try copy.read(metadata) != nil)
  }

  @Test("Values in files beside the store are not taken for those in the cells")
  func external() throws {
    func model(_ isExternal: Bool) throws -> ManagedObjectModel {
      let photo = AttributeDescription(
        name: "photo", type: .binary, allowsExternalBinaryDataStorage: isExternal)
      return try ManagedObjectModel(
        entities: [EntityDescription(name: "Person", properties: [.attribute(photo)])])
    }
    let mapping = ModelMapping(source: try model(true), destination: try model(false))
    let problems = MigrationProblems(mapping: mapping).found
    #expect(problems.map(\.code) == [.migrationCannotInfer])
    #expect(problems.first?.property == "photo")
    let back = ModelMapping(source: try model(false), destination: try model(false))
    #expect(MigrationProblems(mapping: back).found.isEmpty)
  }
}
