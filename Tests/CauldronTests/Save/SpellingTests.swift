import Cauldron
import Foundation
import TestSupport
import Testing

@Entity final class Measure: ManagedObject {
  var name: String = ""
  var price: Decimal = 0
  var level: Double = 0
  var ratio: Float = 0
  var blob: Data = Data()
}

/// SQLite spells some values in another way than they were written.
@Suite(.againstHanging) struct SpellingTests {
  private let bench: Bench

  init() throws { bench = try Bench(.file, model: ManagedObjectModel(Measure.self)) }

  private func made(_ price: String, _ level: Double) throws -> ManagedObjectID {
    let maker = bench.child("Maker")
    let measure = Measure.create(in: maker)
    measure.price = try #require(Decimal(string: price))
    measure.level = level
    try maker.saveAndWait(toPersistentStore: true)
    return measure.objectID
  }

  private static let prices = ["0.00005", "100000000000000000000", "1.2345678901234567"]

  @Test(arguments: prices)
  func `an edit of what nobody else has changed is no conflict`(_ price: String) throws {
    let mine = bench.child("Mine")
    let measure = Measure.create(in: mine)
    measure.price = try #require(Decimal(string: price))
    measure.level = -0.0
    try mine.saveAndWait(toPersistentStore: true)
    let theirs = bench.child("Theirs")
    try #require(try Measure.findFirst(in: theirs)).name = "changed"
    try theirs.saveAndWait(toPersistentStore: true)
    (measure.price, measure.level) = (1, 2)
    try mine.saveAndWait(toPersistentStore: true)
    let stored = try #require(try Measure.findFirst(in: bench.committed()))
    #expect(stored.name == "changed" && stored.price == 1 && stored.level == 2)
  }

  @Test(arguments: prices)
  func `a value that is set to itself is no edit`(_ price: String) throws {
    _ = try made(price, -0.0)
    let reopened = try bench.reopened()
    let context = reopened.child()
    let measure = try #require(try Measure.findFirst(in: context))
    measure.price = measure.price
    measure.level = -0.0
    context.processPendingChanges()
    #expect(!context.hasChanges && !measure.isUpdated)
  }

  @Test func `a number that is set by key is found by value`() throws {
    let context = bench.child()
    let measure = Measure.create(in: context)
    try measure.setValue(0.1, forKey: "ratio")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Measure.count(where: \.ratio == 0.1, in: context) == 1)
    measure.ratio = measure.ratio
    context.processPendingChanges()
    #expect(!context.hasChanges)
  }

  @Test func `long values that begin alike are told apart by their hash`() {
    let values = (0..<100).map { number in
      AttributeScalar.blob(Data(repeating: 7, count: 100) + Data("\(100 + number)".utf8))
    }
    #expect(Set(values.map(\.hashValue)).count > 98)
  }
}
