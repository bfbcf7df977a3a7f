import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

@Suite("Rows of an object's edits")
struct ObjectEditsTests {
  private let factory: RowFactory
  private let layout: EntityLayout
  private let (name, age): (Int, Int)

  init() throws {
    let model = try TestModels.people()
    factory = RowFactory(model)
    layout = model.entity("Person")
    name = try #require(layout.properties.first { $0.name == "name" }).index
    age = try #require(layout.properties.first { $0.name == "age" }).index
  }

  private func row(_ name: String, _ age: Int64) -> HeldRow {
    factory.row("Person", 1, ["name": .text(name), "age": .integer(age)])
  }

  private func values(_ row: HeldRow?) -> [AttributeScalar] {
    row.map { [layout.value("name", in: $0.row), layout.value("age", in: $0.row)] } ?? []
  }

  private func values(_ name: String, _ age: Int64) -> [AttributeScalar] {
    [.text(name), .integer(age)]
  }

  /// An object that was saved as "a", 1, and that the event has renamed to "b".
  private func renamed() -> (edits: ObjectEdits, shown: HeldRow) {
    var edits = ObjectEdits()
    edits.begin(at: row("a", 1), isFirst: true)
    return (edits, row("b", 1))
  }

  @Test func `the first edit keeps the row before it as saved, a later event's edit does not`() {
    var (edits, _) = renamed()
    #expect(values(edits.committed) == values("a", 1))
    edits.publish()
    edits.begin(at: row("b", 1), isFirst: false)
    #expect(values(edits.committed) == values("a", 1))
    #expect(values(edits.eventBase) == values("b", 1))
    #expect(values(edits.eventFirst) == values("b", 1))
  }

  @Test func `a merged row comes in below the event's edits`() throws {
    var (edits, shown) = renamed()
    var builder = RowBuilder()
    let theirs = row("c", 2)
    let merged = try #require(
      edits.takeIn(theirs.row, shown: shown.row, isInEvent: true, of: layout, builder: &builder))
    #expect(values(merged.held) == values("b", 2))
    #expect(values(edits.committed) == values("a", 2))
    #expect(values(edits.eventBase) == values("a", 2))
    #expect(values(edits.eventFirst) == values("a", 1))
    #expect(values(edits.mergedDuringTurn) == values("c", 2))
    #expect(edits.isOvertaken)
    #expect(edits.eventEdits(in: merged, since: edits.eventBase!.row, layout).contains(name))
  }

  @Test func `a property that the event set back counts as edited once a merge has changed it`()
    throws
  {
    var (edits, shown) = renamed()
    var builder = RowBuilder()
    let theirs = row("c", 1)
    _ = edits.takeIn(theirs.row, shown: shown.row, isInEvent: true, of: layout, builder: &builder)
    let base = try #require(edits.eventBase)
    let back = row("a", 1)
    #expect(edits.edits(in: back.row, since: base.row, layout).isEmpty)
    #expect(Array(edits.eventEdits(in: back.row, since: base.row, layout).indices) == [name])
  }

  @Test func `a merged row replaces what an object without edits of the event shows`() {
    var (edits, shown) = renamed()
    edits.publish()
    var builder = RowBuilder()
    // The published edit is in the newer row already.
    let newer = row("b", 2)
    let merged = edits.takeIn(
      newer.row, shown: shown.row, isInEvent: false, of: layout, builder: &builder)
    #expect(merged == nil && edits.eventBase == nil)
    #expect(values(edits.committed) == values("a", 2))
  }

  @Test func `edits that are rebased count as made after the merge`() {
    var (edits, shown) = renamed()
    var builder = RowBuilder()
    let theirs = row("c", 2)
    _ = edits.takeIn(theirs.row, shown: shown.row, isInEvent: true, of: layout, builder: &builder)
    edits.rebaseOnMerged()
    #expect(values(edits.eventBase) == values("c", 2))
    #expect(values(edits.eventFirst) == values("c", 2) && edits.mergedDuringTurn == nil)
    edits.rebaseCommitted(onto: theirs)
    #expect(values(edits.committed) == values("c", 2))
    var none = ObjectEdits()
    none.rebaseCommitted(onto: theirs)
    #expect(none.committed == nil)
  }

  @Test func `edits that overtake a merge replace the values of another row`() {
    var (edits, shown) = renamed()
    var builder = RowBuilder()
    let before = row("z", 9)
    edits.placeBeforeMerge(PropertySet([name]), from: before.row, of: layout, builder: &builder)
    #expect(values(edits.eventBase) == values("z", 1))
    #expect(values(edits.eventFirst) == values("z", 1))
    #expect(values(edits.committed) == values("z", 1))
    #expect(values(edits.mergedDuringTurn) == values("a", 1))
    _ = shown
  }

  @Test func `edits of a merged object bring the values before them along`() {
    var (edits, _) = renamed()
    var builder = RowBuilder()
    let other = row("y", 5)
    edits.inherit(PropertySet([age]), from: other.row, of: layout, builder: &builder)
    #expect(values(edits.eventBase) == values("a", 5))
    #expect(values(edits.committed) == values("a", 5))
    #expect(values(edits.eventFirst) == values("a", 1))
  }

  @Test func `publishing ends the event alone, settling all but the event, reverting both`() {
    var (edits, _) = renamed()
    edits.nullify(age)
    edits.restate(name)
    var settled = edits
    settled.settle()
    #expect(settled.committed == nil && settled.nullified.isEmpty)
    #expect(settled.eventBase != nil && settled.restated.contains(name))
    edits.publish()
    #expect(edits.eventBase == nil && edits.eventFirst == nil && edits.restated.isEmpty)
    #expect(edits.committed != nil && edits.nullified.contains(age))
    edits.revert()
    #expect(edits.committed == nil && edits.nullified.isEmpty)
  }

  @Test func `a save up to the event leaves the event's edits unsaved`() {
    var (edits, _) = renamed()
    edits.publish()
    edits.begin(at: row("b", 1), isFirst: false)
    edits.saveUpToEvent()
    #expect(values(edits.committed) == values("b", 1))
    edits.publish()
    edits.saveUpToEvent()
    #expect(values(edits.committed) == values("b", 1))
  }

  @Test func `changes that return keep the older row before them`() {
    var edits = ObjectEdits()
    edits.beginUnsaved(at: row("a", 1))
    edits.beginUnsaved(at: row("b", 1))
    #expect(values(edits.committed) == values("a", 1))
  }

  @Test func `an ordinary edit ends what a rule or a restatement has noted of the property`() {
    var edits = ObjectEdits()
    edits.nullify(name)
    edits.nullify(age)
    edits.restate(name)
    edits.set(name)
    #expect(Array(edits.nullified.indices) == [age] && edits.restated.isEmpty)
    // In the row both have values, so the rule has cleared neither.
    edits.forgetLapsedRules(in: row("a", 1).row)
    #expect(edits.nullified.isEmpty)
  }

  @Test func `untracked values are no edits as long as they are shown`() {
    var edits = ObjectEdits()
    let saved = row("a", 1)
    edits.beginUntracked(at: saved)
    edits.setUntracked(name, to: .text("b"))
    #expect(edits.edits(in: row("b", 1).row, since: saved.row, layout).isEmpty)
    let edited = edits.edits(in: row("c", 2).row, since: saved.row, layout)
    #expect(Set(edited.indices) == [name, age])
    #expect(edits.trackedRow == saved.row)
    let published = row("a", 2)
    edits.publish(published, leaving: PropertySet())
    #expect(edits.trackedRow == published.row && edits.untracked?.values.isEmpty == true)
    edits.endUntracked()
    #expect(edits.trackedRow == nil)
  }

  @Test func `all rows are renamed`() {
    var (edits, _) = renamed()
    edits.beginUntracked(at: row("u", 1))
    var builder = RowBuilder()
    let theirs = row("c", 2)
    _ = edits.takeIn(
      theirs.row, shown: row("b", 1).row, isInEvent: true, of: layout, builder: &builder)
    let final = row("final", 0)
    var count = 0
    edits.rename { _ in
      count += 1
      return final
    }
    #expect(count == 5)
    let rows = [
      edits.committed, edits.eventBase, edits.eventFirst, edits.mergedDuringTurn,
      edits.untracked?.row,
    ]
    #expect(rows.allSatisfy { $0?.row == final.row })
  }
}
