import Cauldron
import TestSupport
import Testing

@Entity final class Wardrobe: ManagedObject {
  var style: Style = Style()

  struct Style: Codable, Equatable, Sendable {
    var sizes: Set<String> = []
    var order: [Int] = []
    var label = ""

    /// Custom equality that leaves out what the type encodes.
    static func == (a: Style, b: Style) -> Bool {
      a.sizes == b.sizes && a.order.count == b.order.count
    }
  }
}

/// A Codable value with a set, which is encoded in any order: an equal value is no edit.
@Suite(.againstHanging, .ownThread) struct EncodedSetTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let wardrobe: Wardrobe
  private let names = (0..<12).map { "size \($0)" }

  init() throws {
    bench = try Bench(
      model: try ManagedObjectModel(entities: [Wardrobe._describeEntity()]))
    context = bench.child()
    wardrobe = Wardrobe.create(in: context)
    wardrobe.style.sizes = Set(names)
    try context.saveAndWait(toPersistentStore: false)
  }

  @Test func `a set that was filled in another order is no edit`() {
    // Each set lists its elements in an order of its own, by its capacity.
    for capacity in [0, 12, 50, 200, 1_000] {
      var style = Wardrobe.Style()
      style.sizes.reserveCapacity(capacity)
      for name in names.reversed() { style.sizes.insert(name) }
      wardrobe.style = style
      #expect(!context.hasChanges && wardrobe.changedValues().isEmpty)
    }
  }

  @Test func `an element that is added and taken out in a later event is no edit`() {
    wardrobe.style.sizes.insert("x")
    context.processPendingChanges()
    #expect(context.hasChanges)
    wardrobe.style.sizes.remove("x")
    context.processPendingChanges()
    #expect(!context.hasChanges)
  }

  @Test func `what equality leaves out is an edit all the same`() throws {
    wardrobe.style.label = "ab"
    wardrobe.style.order = [1, 2]
    try context.saveAndWait(toPersistentStore: false)
    wardrobe.style.label = "ba"
    #expect(context.hasChanges && wardrobe.style.label == "ba")
    try context.saveAndWait(toPersistentStore: false)
    wardrobe.style.order = [2, 1]
    #expect(context.hasChanges && wardrobe.style.order == [2, 1])
  }
}
