import Foundation
import Testing

/// The article for those who come from Core Data has every call, and a counterpart or a reason.
@Suite struct CoreDataTableTests {
  private let table: PortingTable

  init() throws { table = try PortingTable(article: "FromCoreData") }

  @Test(arguments: CoreDataCalls.bySection)
  func `each call of a class stands in its section, and nothing else`(
    _ list: (section: String, calls: [String])
  ) throws {
    #expect(table.selectors(in: list.section).sorted() == list.calls.sorted())
  }

  @Test func `the sections are those of the list`() {
    #expect(CoreDataCalls.bySection.flatMap(\.calls).count > 280)
    #expect(table.rows.map(\.section).uniqued() == CoreDataCalls.bySection.map(\.section))
  }

  @Test func `each row has a counterpart or says why there is none`() {
    for row in table.rows {
      #expect(row.call.contains("`") || row.call == "none", "\(row.selectors)")
      #expect((row.call == "none") == row.difference.hasPrefix("No, because"), "\(row.selectors)")
    }
  }
}

extension [String] {
  /// Neighbours that are equal, once.
  fileprivate func uniqued() -> [String] {
    indices.filter { $0 == 0 || self[$0] != self[$0 - 1] }.map { self[$0] }
  }
}
