import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What an event has published before it ended.
@Suite struct UntoldChangesTests {
  private let factory: RowFactory
  private let ledger = ChangeLedger()

  init() throws { factory = RowFactory(try TestModels.people()) }

  private func id(_ key: Int64) -> ManagedObjectID {
    let entity = factory.model.entity("Person")
    return ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: 1)
  }

  private func edit(of key: Int64, _ values: [String: AttributeScalar]) -> ChangeSet {
    let base = factory.row("Person", key, ["name": .text("x"), "age": .integer(1)])
    return ChangeSet(
      ledger.changeSetID(), from: factory, updated: [factory.update(base.row, values)],
      keeping: [base])
  }

  @Test func `edits that are published one by one are kept as a few sets`() throws {
    var untold = UntoldChanges()
    for key in 1...1_000 { untold.add(edit(of: Int64(key), ["age": .integer(2)]), to: ledger) }
    #expect(untold.count < 16)
    let taken = untold.take(with: nil, ledger)
    let told = try #require(taken)
    #expect(told.updatedCount == 1_000)
    let rest = untold.take(with: nil, ledger)
    #expect(untold.isEmpty && rest == nil)
  }

  @Test func `what was published early and what came later are told as one edit`() throws {
    var untold = UntoldChanges()
    untold.add(edit(of: 1, ["age": .integer(2)]), to: ledger)
    let later = edit(of: 1, ["name": .text("y")])
    let taken = untold.take(with: later, ledger)
    let told = try #require(taken)
    guard case .updated(let update) = told.change(id(1)) else {
      Issue.record("\(told.entities.count) entities")
      return
    }
    #expect(update.changed.indices.count == 2)
  }

  @Test func `a dropped object is not told of, and the rest is`() throws {
    var untold = UntoldChanges()
    for key: Int64 in 1...2 { untold.add(edit(of: key, ["age": .integer(2)]), to: ledger) }
    #expect(untold.change(of: id(1), ledger)?.changed.indices.count == 1)
    untold.drop(id(1))
    #expect(untold.change(of: id(1), ledger) == nil)
    #expect(untold.change(of: id(2), ledger) != nil)
    let taken = untold.take(with: nil, ledger)
    let told = try #require(taken)
    #expect(told.change(id(1)) == nil && told.change(id(2)) != nil)
  }

  @Test func `what an object does after its changes were dropped is told of`() throws {
    var untold = UntoldChanges()
    untold.add(edit(of: 1, ["age": .integer(2)]), to: ledger)
    untold.drop(id(1))
    untold.add(edit(of: 1, ["name": .text("y")]), to: ledger)
    #expect(untold.change(of: id(1), ledger) != nil)
    let taken = untold.take(with: nil, ledger)
    let told = try #require(taken)
    #expect(told.change(id(1)) != nil)
  }

  @Test func `of what was dropped nothing is left where nothing is untold`() {
    var untold = UntoldChanges()
    untold.drop(id(1))
    untold.add(edit(of: 1, ["age": .integer(2)]), to: ledger)
    #expect(untold.change(of: id(1), ledger) != nil)
  }
}
