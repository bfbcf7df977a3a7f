import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// A store that Core Data wrote, and the model that it was written with.
struct AppleFixture: Sendable, CustomTestStringConvertible {
  let store: String
  private let entities: @Sendable () throws -> [EntityDescription]

  var testDescription: String { store }

  /// - Parameter entities: The model of a store that came without its source.
  init(_ store: String, _ entities: @escaping @Sendable () throws -> [EntityDescription]) {
    (self.store, self.entities) = (store, entities)
  }

  private init(_ store: String, source: String) {
    self.init(store) {
      try ModelContents(Data(contentsOf: #require(Fixtures.url(source)))).entities
    }
  }

  func model() throws -> ManagedObjectModel { try ManagedObjectModel(entities: entities()) }

  /// A copy in a folder, which may be written to.
  func copy(to folder: TemporaryDirectory) throws -> URL {
    let url = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(store)), to: url)
    return url
  }

  static let areThere = Fixtures.exists("Moody") && Fixtures.exists("Recipes")

  /// Those that can be written to.
  static let all =
    ["", " 2", " 3", " 4", " 5"].map {
      AppleFixture(
        "Moody/Moody\($0).moody", source: "Moody/Moody.xcdatamodeld/Moody\($0).xcdatamodel/contents"
      )
    } + [
      AppleFixture(
        "CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite",
        source:
          "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel/contents"),
      AppleFixture(
        "CoreDataPlus/SampleModel/Fixtures/SampleModel_V2.sqlite",
        source:
          "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel/contents"),
      AppleFixture(
        "CoreDataPlus/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
        source:
          "CoreDataPlus/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel/contents"),
      AppleFixture("Recipes/Recipes.sqlite") { AppleModels.recipes() },
    ]

  /// Those that keep a history.
  static let followed = [1, 2].map { version in
    AppleFixture("CoreDataPlus/SampleModel2/Fixtures/SampleModel2_V\(version).sqlite") {
      AppleModels.library(version: version)
    }
  }
}
