import Cauldron
import Foundation
import TestSupport
import Testing

@Entity final class Coin: ManagedObject {
  @Attribute(.unique) var code: String
  var rate: Double?
}
@Entity final class Shelf: ManagedObject {
  @Attribute(.unique) var number: Int
  var label: String?
}

/// Records that stand in their text otherwise than as the elements of an array.
@Suite(.againstHanging) struct RecordFormTests {
  private func newStack() throws -> Stack {
    try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [Coin._describeEntity(), Shelf._describeEntity()]))
  }

  private func coins(
    _ json: String, _ records: ImportRecords, root: String? = nil
  ) async throws -> (ImportReport, [String]) {
    let stack = try newStack()
    let report = try await stack.importJSON(
      Data(json.utf8), as: Coin.self, root: root, options: .init(records: records))
    let coins = try await stack.save { context in
      try Coin.findAll(sortedBy: \.code, in: context).map { "\($0.code) \($0.rate ?? -1)" }
    }
    return (report, coins)
  }

  @Test func `the names of an object are values of its records`() async throws {
    let (report, coins) = try await coins(
      #"{"EUR": {"rate": 1.08}, "USD": {"rate": 1, "code": "US$"}, "": {"rate": 3}, "x/y": 5, "z": {"rate": "a"}}"#,
      .object(namesAs: "code"))
    #expect(coins == [" 3.0", "EUR 1.08", "US$ 1.0"])
    #expect(
      report.problems.map(\.description) == [
        "/x~1y: 5 is not an object", #"/z/rate: "a" is not a number"#,
      ])
    #expect(report.problems.map(\.record) == [3, 4])
  }

  @Test func `plain values are records of one value`() async throws {
    let (report, coins) = try await coins(
      #"{"data": {"rates": {"EUR": 1.08, "USD": null, "DKK": [1], "GBP": {"rate": 2}}}}"#,
      .object(namesAs: "code", valuesAs: "rate"), root: "data.rates")
    #expect(coins == ["EUR 1.08", "GBP 2.0", "USD -1.0"])
    #expect(report.problems.map(\.description) == ["/DKK: an array is not a number"])
    let (listed, names) = try await self.coins(
      #"["EUR", {"code": "USD", "rate": 1}, 7]"#, .list(valuesAs: "code"))
    #expect(names == ["EUR -1.0", "USD 1.0"])
    #expect(listed.problems.map(\.description) == ["/2: 7 is not a text"])
  }

  @Test func `each line is a record, or several`() async throws {
    let (report, coins) = try await coins(
      """
      {"code": "EUR", "rate": 1.08}\r
      [{"code": "USD"}, {"code": "DKK"}]

      {"code": "GBP", "rate": "x"} {"code": "CHF"}
      """, .lines())
    #expect(coins == ["CHF -1.0", "DKK -1.0", "EUR 1.08", "USD -1.0"])
    #expect(report.problems.map(\.description) == [#"/3/rate: "x" is not a number"#])
    let (_, below) = try await self.coins(
      #"{"type": "coin", "data": {"code": "EUR"}}"# + "\n" + #"{"data": [{"code": "USD"}]}"#,
      .lines(), root: "data")
    #expect(below == ["EUR -1.0", "USD -1.0"])
    let (_, plain) = try await self.coins("\"EUR\"\n\"USD\"\n", .lines(valuesAs: "code"))
    #expect(plain == ["EUR -1.0", "USD -1.0"])
    for cut in ["2026-11-24", "007", "truefalse", "1null"] {
      await #expect(throws: CauldronError.self) {
        _ = try await self.coins(cut, .lines(valuesAs: "code"))
      }
    }
    let (nothing, _) = try await self.coins(" \n", .lines())
    #expect(nothing.records == 0)
  }

  @Test func `a name is a number where its property takes one`() async throws {
    let stack = try newStack()
    let json = Data(#"{"7": {"label": "a"}, "08": {"label": "b"}, "x": {}, "-1": "c"}"#.utf8)
    let options = ImportOptions(records: .object(namesAs: "number", valuesAs: "label"))
    let report = try await stack.importJSON(json, as: Shelf.self, options: options)
    let shelves = try await stack.save { context in
      try Shelf.findAll(sortedBy: \.number, in: context).map { "\($0.number) \($0.label ?? "-")" }
    }
    #expect(shelves == ["-1 c", "7 a", "8 b"])
    #expect(report.problems.map(\.description) == [#"/x/number: "x" is not a number"#])
    let again = try await stack.importJSON(json, as: Shelf.self, options: options)
    #expect(again.unchanged == 3)
  }

  @Test func `what a record says comes before its name, and names that lead nowhere are refused`()
    async throws
  {
    let (_, coins) = try await coins(
      #"{"a": {"code": null, "rate": 1}, "b": {"code": "own"}}"#, .object(namesAs: "code"))
    #expect(coins == ["a 1.0", "own -1.0"])
    for records in [
      ImportRecords.object(namesAs: "cod"), .object(namesAs: "code", valuesAs: "rat"),
      .list(valuesAs: "x"), .object(namesAs: "code", valuesAs: "code"),
    ] {
      let error = await failure { _ = try await self.coins("{}", records) }
      #expect(error?.code == .importPlan, "\(records)")
    }
  }

  @Test(arguments: [
    ("[1]", ImportRecords.object(namesAs: "code"), "the root is an array"),
    ("7", .object(namesAs: "code"), "neither an array nor an object"),
    ("{\"code\": \"a\"}\n{\"code\": \"b\"}", .list(), "records: .lines"),
    ("{\"code\": \"a\"}\n{\"code\": ", .lines(), "line 2"), ("{} x", .lines(), "without quotes"),
    ("", .list(), "a value is missing"), ("{}", .object(namesAs: "code"), ""),
  ])
  func `another form is told by name`(_ json: String, _ records: ImportRecords, _ says: String)
    async throws
  {
    do {
      let (report, _) = try await coins(json, records)
      #expect(says.isEmpty && report.records == 0)
    } catch let error as CauldronError {
      #expect(!says.isEmpty && "\(error)".contains(says), "\(error)")
    }
  }

  @Test(
    arguments: [
      (Array("<!DOCTYPE html>".utf8), "this is HTML or XML"),
      (Array(" \n<?xml?>".utf8), "this is HTML or XML"), ([0xFF, 0xFE, 0x5B, 0], "this is UTF-16"),
      ([0xFE, 0xFF, 0, 0x5B], "this is UTF-16"), ([0x5B, 0, 0x5D, 0], "this is UTF-16"),
      ([0, 0x5B, 0, 0x5D], "this is UTF-16"), ([0x7B, 0, 0x7D, 0], "this is UTF-16"),
      ([0x1F, 0x8B, 8], "this is compressed"),
      (Array("{'a': 1}".utf8), "names stand in double quotes"),
      (Array("{a: 1}".utf8), "names stand in double quotes"),
      (Array("{\"a\": 1,}".utf8), "a comma before \"}\""),
      (Array("[1, ]".utf8), "a comma before \"]\""),
      (Array("[,1]".utf8), "a value is missing"),
      (Array("['a']".utf8), "texts stand in double quotes"),
      (Array("[1, // x\n 2]".utf8), "JSON has no comments"),
      (Array("{\"a\": <b>}".utf8), "a value is missing"),
    ] as [([UInt8], String)])
  func `a mistake is told in words`(_ bytes: [UInt8], _ says: String) async throws {
    let stack = try newStack()
    let error = await failure { _ = try await stack.importJSON(Data(bytes), as: Coin.self) }
    #expect(error?.code == .importSyntax)
    #expect(error?.message.contains(says) == true, "\(String(describing: error))")
  }

  private func failure(_ body: () async throws -> Void) async -> CauldronError? {
    do { try await body() } catch { return error as? CauldronError }
    return nil
  }
}
