import Cauldron
import TestSupport
import Testing

/// What `willSave()` sets of its object as a primitive value belongs to the save.
@Suite(.againstHanging, .ownThread) struct PrimitiveInWillSaveTests {
  @Test(arguments: [false, true])
  func `a primitive value that willSave sets is written`(_ isNew: Bool) throws {
    let bench = try Creature.bench()
    let context = bench.child()
    let cat = Creature.named("cat", in: context)
    if !isNew { try context.saveAndWait(toPersistentStore: true) }
    bench.tale.on("willSave") { try? $0.setPrimitiveValue(9, forKey: "count") }
    cat.name = "tom"
    try context.saveAndWait(toPersistentStore: true)
    #expect(cat.count == 9)
    #expect(try Creature.findFirst(in: bench.committed())?.count == 9)
    #expect(!bench.isDirty(context))
  }

  @Test func `a primitive value that grows in willSave grows once`() throws {
    let bench = try Creature.bench()
    let context = bench.child()
    let cat = Creature.named("cat", in: context)
    try context.saveAndWait(toPersistentStore: true)
    try cat.setPrimitiveValue(8, forKey: "count")
    bench.tale.on("willSave") { try? $0.setPrimitiveValue($0.count + 1, forKey: "count") }
    cat.name = "tom"
    try context.saveAndWait(toPersistentStore: false)
    #expect(cat.count == 9)
    let shown = try bench.root.performAndWait { try Creature.findFirst(in: $0)?.count }
    #expect(shown == 9)
  }
}
