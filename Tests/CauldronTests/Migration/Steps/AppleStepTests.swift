import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Steps read and write stores that Core Data made, whose tables and columns have names of their own.
@Suite(
  .againstHanging,
  .enabled(if: AppleFixture.areThere, Fixtures.skip("Moody, CoreDataPlus and Recipes")))
struct AppleStepTests {
  @Test(arguments: AppleFixture.all)
  func `what is read is written, and is the same`(_ fixture: AppleFixture) throws {
    let folder = try TemporaryDirectory()
    let url = try fixture.copy(to: folder)
    let model = try fixture.model()
    let before = try AppleRows(url)
    let tally = Tally()
    var configuration = StackConfiguration()
    configuration.logger = LogCapture().logger
    configuration.migration = .steps(
      MigrationStep("same") { step in
        for entity in model.entities where entity.superentity == nil {
          try step.each(entity.name) { old, new in
            tally.note("\(old.id)")
            try copy(entity.properties, old, new)
          }
        }
      })
    let stack = try Stack(storeURL: url, model: model, configuration: configuration)
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let after = try AppleRows(url)
    try after.check(try context.all(of: model), model)
    try stack.close()
    #expect(Set(tally.words).count == before.count && tally.words.count == before.count)
    #expect(after.integrity == ["ok"])
    for (row, cells) in before.rows {
      #expect(after.rows[row]?.filter { $0.key != "Z_OPT" } == cells.filter { $0.key != "Z_OPT" })
    }
    let found = OtherConnection(url).texts("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY")
    let original = try #require(Fixtures.url(fixture.store))
    #expect(found == OtherConnection(original).texts("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY"))
  }

  /// Gives an object what it has.
  private func copy(
    _ properties: [PropertyDescription], _ old: MigrationRow, _ new: MigrationDraft
  ) throws {
    for property in properties {
      switch property {
      case .attribute(let attribute):
        if attribute.isTransient { continue }
        let scalar: AttributeScalar? = old[attribute.name]
        new[attribute.name] = scalar
      case .relationship(let relationship):
        for other in try old.links(relationship.name) {
          try new.link(relationship.name, to: other)
        }
      }
    }
  }
}
