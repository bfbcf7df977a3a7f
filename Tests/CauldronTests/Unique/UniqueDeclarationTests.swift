import Cauldron
import TestSupport
import Testing

@Suite(.againstHanging) struct UniqueDeclarationTests {
  @Test func `what the macros name is in the model`() throws {
    let tag = try #require(Glossary.model().entities.first { $0.name == "Keyword" })
    #expect(tag.uniquenessConstraints == [["name"], ["kind", "order"]])
    #expect(
      tag.indexes == [IndexDescription(name: "byCountAndKind", properties: ["count", "kind"])])
  }

  @Test func `attributes are marked by themselves, too`() throws {
    let remark = try #require(Glossary.model().entities.first { $0.name == "Remark" })
    #expect(remark.uniquenessConstraints == [["text"]])
    #expect(remark.indexes == [IndexDescription(name: "byStars", properties: ["stars"])])
  }

  @Test(arguments: StoreKind.allCases)
  func `values of a list are unique together, and nil is equal to nothing`(
    _ kind: StoreKind
  ) throws {
    let bench = try Glossary.bench(kind)
    let context = bench.child()
    for order in 0..<3 {
      let tag = Keyword.create(in: context)
      (tag.kind, tag.order) = ("a", order)
    }
    for _ in 0..<2 { Keyword.create(in: context).order = 1 }
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child()
    let tag = Keyword.create(in: other)
    (tag.kind, tag.order) = ("a", 1)
    let error = #expect(throws: CauldronError.self) {
      try other.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .saveConstraint && error?.property == "kind")
    #expect(error?.code.coreDataCode == 133021)
    #expect(try Keyword.count(in: bench.committed()) == 5)
  }
}
