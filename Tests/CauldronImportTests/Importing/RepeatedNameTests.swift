import Cauldron
import Foundation
import Testing

@Entity final class Bill: ManagedObject {
  struct Note: Codable, Sendable, Equatable { var text: String }

  @Attribute(.unique) var id: Int
  @Attribute(from: "sum.net", "total") var total: Int = 0
  var note: Note?
  @Relationship(inverse: \BillLine.bill) var lines: ToMany<BillLine>
}
@Entity final class BillLine: ManagedObject {
  @Attribute(.unique) var id: Int
  var count: Int = 0
  @Relationship var bill: Bill?
}

/// Members that stand twice in an object of a record.
@Suite struct RepeatedNameTests {
  private func load(_ json: String) async throws -> (ImportReport, [String]) {
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [Bill._describeEntity(), BillLine._describeEntity()]))
    let report = try await stack.importJSON(Data(json.utf8), as: Bill.self)
    let bills = try await stack.save { context in
      try Bill.findAll(sortedBy: \.id, in: context).map { bill in
        let lines = bill.lines.sorted { $0.id < $1.id }.map { "\($0.id)x\($0.count)" }
        return "\(bill.id) \(bill.total) \(bill.note?.text ?? "-") \(lines)"
      }
    }
    return (report, bills)
  }

  @Test func `a name that no property asks for stops nothing, wherever it stands twice`()
    async throws
  {
    let (report, bills) = try await load(
      #"""
      [{"id": 1, "total": 5}, {"id": 2, "total": 7, "tax": [], "tax": []},
       {"id": 3, "sum": {"net": 8, "gross": 1, "gross": 2}, "lines": [{"id": 1, "count": 4, "x": {}, "x": 1}]},
       {"id": 4, "total": 9, "rest": {"a": 1, "a": {"b": 1, "b": 2}}}]
      """#)
    #expect(report.created == 4 && report.problems.isEmpty)
    #expect(bills == ["1 5 - []", "2 7 - []", #"3 8 - ["1x4"]"#, "4 9 - []"])
  }

  @Test
  func `half a pair of escaped units refuses its record alone, and only where it is asked for`()
    async throws
  {
    let (report, bills) = try await load(
      #"""
      [{"id": 1, "total": 5, "rest": "\ud83d", "\udc00": [], "\ud800": 1}, {"id": 2, "note": {"text": "\ud83d"}},
       {"id": 3, "note": {"\ud83d": 1, "text": "a"}}, {"id": 4, "total": "\ud83d"}, {"id": 5, "total": 6}]
      """#)
    #expect(bills == ["1 5 - []", "5 6 - []"])
    #expect(report.refused == 3 && report.problems.allSatisfy { $0.code == .importValue })
    #expect(
      report.problems.allSatisfy {
        $0.description.contains("a text with half a pair of escaped units has no form in a record")
      }, "\(report.problems)")
  }

  @Test func `a name that a property asks for refuses its record alone, with its place`()
    async throws
  {
    let (report, bills) = try await load(
      #"""
      [{"id": 1, "total": 5, "total": 6}, {"id": 2, "id": 3}, {"id": 4, "sum": {"net": 1, "net": 1}},
       {"id": 5, "sum": {}, "sum": {"net": 2}}, {"id": 6, "lines": [{"id": 7}, {"id": 8, "count": 1, "count": 2}]},
       {"id": 9, "note": {"text": "a", "text": "b"}}, {"id": 10, "lines": [], "lines": []}, {"id": 11}]
      """#)
    #expect(bills == ["11 0 - []"])
    #expect(report.refused == 7 && report.problems.allSatisfy { $0.code == .importDuplicateKey })
    #expect(
      report.problems.map(\.description) == [
        #"/0/total: an object has "total" twice"#, #"/1/id: an object has "id" twice"#,
        #"/2/sum/net: an object has "net" twice"#, #"/3/sum/net: an object has "sum" twice"#,
        #"/4/lines/1/count: an object has "count" twice"#, #"/5/note: an object has "text" twice"#,
        #"/6/lines: an object has "lines" twice"#,
      ])
  }
}
