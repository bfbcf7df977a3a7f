import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Bills, letters and cards have numbers, of three types, in three columns of one table.
@Suite(.againstHanging) struct SiblingPropertyTests {
  @Test(arguments: StoreKind.allCases)
  func `properties of one name and several types are kept apart`(_ kind: StoreKind) throws {
    var bench = try Archive.bench(kind)
    let context = bench.child()
    Archive.fill(context)
    try check(context)
    try context.saveAndWait(toPersistentStore: true)
    try check(bench.committed())
    if kind == .file {
      bench = try bench.reopened()
      try check(bench.child())
    }
    let editor = bench.child("Editor")
    try edit(editor)
    try editor.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Bill.findAll(sortedBy: \.number, in: reader).map(\.number) == [2, 3, 10])
    #expect(try Letter.findFirst(in: reader)?.number == "L-40")
    let card = try #require(try Card.findFirst(in: reader))
    #expect(card.number == nil && card.amount == 51)
  }

  private func edit(_ context: ManagedObjectContext) throws {
    let papers = try Paper.findAll(sortedBy: \.title, in: context)
    let (bill, letter) = try (
      #require(papers[0] as? Bill), #require(papers[3] as? Letter)
    )
    let card = try #require(papers[4] as? Card)
    bill.number = 10
    letter.number = "L-40"
    (card.number, card.amount) = (nil, 51)
    #expect(bill.changedValues()["number"] as? Int == 10)
    #expect(letter.changedValues()["number"] as? String == "L-40")
    #expect(Set(card.changedValues().keys) == ["number", "amount"])
    #expect(card.committedValues()["number"] == .real(5.25))
  }

  private func check(_ context: ManagedObjectContext) throws {
    #expect(try Bill.findAll(where: \.number >= 2, in: context).count == 2)
    #expect(try Letter.findAll(where: \.number == "L-4", in: context).map(\.title) == ["d"])
    #expect(try Card.findAll(where: \.number > 5.0, in: context).map(\.number) == [5.25])
    #expect(try Bill.findAll(where: \.amount == 2.5, in: context).map(\.title) == ["b"])
    #expect(try Card.findAll(where: \.amount == 50, in: context).map(\.title) == ["e"])
    let error = cauldronError {
      var request = FetchRequest<Paper>()
      request.sortKeys = [SortKey("number")]
      _ = try context.fetch(request)
    }
    #expect(error?.code == .queryUnknownKey, "papers in general have no number")
  }

  /// Which column is whose nobody writes down; another program may have given them other names.
  @Test func `the file says whose column it is, also where columns have changed places`() throws {
    var bench = try Archive.bench(.file)
    let context = bench.child()
    Archive.fill(context)
    try context.saveAndWait(toPersistentStore: true)
    let url = try #require(bench.stack.coordinator.storeURL)
    let file = OtherConnection(url)
    let numbers = ["ZNUMBER", "ZNUMBER1", "ZNUMBER2"]
    for number in numbers {
      #expect(file.integers("SELECT count(\(number)) FROM ZPAPER").first ?? 0 > 0)
    }
    try bench.stack.close()
    for (old, new) in [
      ("ZNUMBER", "x"), ("ZNUMBER2", "ZNUMBER"), ("ZNUMBER1", "ZNUMBER2"), ("x", "ZNUMBER1"),
      ("ZAMOUNT", "y"), ("ZAMOUNT1", "ZAMOUNT"), ("y", "ZAMOUNT1"),
    ] {
      #expect(file.run("ALTER TABLE ZPAPER RENAME COLUMN \(old) TO \(new)"))
    }
    bench = try bench.reopened()
    let other = bench.child("Other")
    try check(other)
    try edit(other)
    try other.saveAndWait(toPersistentStore: true)
    let letter = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Letter')"
    #expect(
      file.integers(
        "SELECT count(*) FROM ZPAPER WHERE Z_ENT = \(letter) AND 'L-40' IN (\(numbers.joined(separator: ", ")))"
      ) == [1])
    #expect(
      file.integers(
        "SELECT count(*) FROM ZPAPER WHERE (\(numbers.map { "(\($0) IS NOT NULL)" }.joined(separator: " + "))) > 1"
      ) == [0])
  }
}
