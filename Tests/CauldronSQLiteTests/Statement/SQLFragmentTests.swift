import Testing

@testable import CauldronSQLite

@Suite("Pieces of SQL")
struct SQLFragmentTests {
  private func integers(_ fragment: SQLFragment) -> [Int64] {
    fragment.values.compactMap { if case .integer(let value) = $0 { value } else { nil } }
  }

  @Test("Values keep the order of their parameters, wherever a piece goes")
  func order() {
    let late: SQLFragment = "b = \(bind: 2)"
    let early: SQLFragment = "a = \(bind: 1)"
    let all: SQLFragment = "\(early) AND (\(late) OR c = \(bind: 3))"
    #expect(all.text == "a = ? AND (b = ? OR c = ?)")
    #expect(integers(all) == [1, 2, 3])
    let turned = [late, "1", early].joined(by: " OR ")
    #expect(turned.text == "b = ? OR 1 OR a = ?")
    #expect(integers(turned) == [2, 1])
    #expect([SQLFragment]().joined(by: ", ").isEmpty)
  }

  @Test("A value is never text, and a text never a parameter")
  func kinds() {
    let value: SQLFragment = "\(sql: "ZNAME") = \(bind: .text(Array("'x' --".utf8)))"
    #expect(value.text == "ZNAME = ?")
    #expect(value.values.count == 1)
  }

  @Test("A statement of a fragment answers by the fragment's values, also when it runs again")
  func bound() throws {
    let connection = try Connection(path: ":memory:", mode: .create, busyTimeout: 1)
    for (a, b) in [(7, 3), (10, 4)] as [(Int64, Int64)] {
      let statement = try connection.bound("SELECT \(bind: a) - \(bind: b)")
      #expect(try statement.step())
      #expect(statement.integer(0) == a - b)
      statement.reset()
    }
  }
}
