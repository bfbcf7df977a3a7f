import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery
import TestSupport
import Testing

/// Queries that name objects by keys which the store has exchanged since.
@Suite(.againstHanging) struct QueryKeyTests {
  @Test(arguments: StoreKind.allCases)
  func `orders, columns and groups name an object by the key that it has now`(
    _ kind: StoreKind
  ) throws {
    let bench = try KeyBench(kind)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    let other = Company.named("other", in: context)
    let me = Person.named("me", at: other, in: context)
    Person.named("you", at: acme, in: context)
    try context.save()
    let mine = PredicateNode.isSelf([me.objectID])
    let count = QueryExpression.aggregate(.count, of: "employees", nil, where: mine)
    let isMine = QueryExpression.conditional(mine, .value(.integer(1)), .value(.integer(0)))
    try bench.root.saveAndWait(toPersistentStore: true)
    for reader in [context, bench.fresh()] {
      let order = FetchRequest<Company>(sortedBy: [SortKey(count, ascending: false)])
      #expect(try reader.fetch(order).map(\.name) == ["other", "acme"])
      #expect(try reader.fetchObjectIDs(order).first == other.objectID)
      var lines = ValueRequest(FetchRequest<Company>(sortedBy: [SortKey("name")]))
      lines.columns = [count]
      #expect(try reader.fetchValues(lines) == [[.integer(0)], [.integer(1)]])
      var groups = ValueRequest(FetchRequest<Person>())
      groups.groups = [isMine]
      groups.columns = [isMine, .aggregate(.count, of: "SELF", nil)]
      #expect(
        try reader.fetchValues(groups)
          == [[.integer(0), .integer(1)], [.integer(1), .integer(1)]])
      groups.having = .comparison(
        .aggregate(.sum, of: "SELF", isMine), .equal, .value(.integer(1)), [])
      #expect(try reader.fetchValues(groups) == [[.integer(1), .integer(1)]])
    }
  }
}

extension FetchRequest {
  fileprivate init(sortedBy keys: [SortKey]) {
    self.init()
    sortKeys = keys
  }
}
