import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("Values in a SQLite store")
struct RoundTripTests {
  private static let types: [(String, AttributeType)] = AttributeType.allCases.filter(\.hasColumn)
    .map {
      ("a\($0.rawValue)", $0)
    }

  /// Writes values of one type, closes, opens, and reads them.
  private func roundTrip(
    _ type: AttributeType, _ values: [AttributeScalar]
  ) throws -> [AttributeScalar] {
    let bench = try StoreBench([("value", type)])
    try bench.insert(
      values.enumerated().map { bench.factory.row("Thing", Int64($0 + 1), ["value": $1]) })
    try bench.reopen()
    let list = try bench.fetch("Thing")
    return list.map { bench.model.entity("Thing").value("value", in: $0) }
  }

  @Test(
    "Integers keep their limits",
    arguments: [AttributeType.integer16, .integer32, .integer64, .boolean])
  func integers(type: AttributeType) throws {
    let range = try #require(type.integerRange)
    let numbers: [Int64] = [range.lowerBound, -1, 0, 1, 1 << 53 + 1, range.upperBound]
    let values = numbers.filter(range.contains).map { AttributeScalar.integer($0) }
    #expect(try roundTrip(type, values) == values)
  }

  @Test(
    "Numbers keep their bits; NaN becomes nil", arguments: [AttributeType.double, .float, .date])
  func reals(type: AttributeType) throws {
    let numbers = [
      0.0, 1, -1, 0.1, .pi, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      0x1p53, -978_307_200.123,
    ]
    #expect(try roundTrip(type, numbers.map { .real($0) }) == numbers.map { .real($0) })
    #expect(try roundTrip(type, [.real(.nan)]) == [.null])
    #expect(try roundTrip(type, [.real(-0.0)]) == [.real(0)])
  }

  @Test("Text keeps every byte", arguments: [AttributeType.string, .uri])
  func texts(type: AttributeType) throws {
    let texts = [
      "", "\0", "a\0b", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\u{FEFF}", "12", "1.0",
      "'; DROP TABLE ZTHING; --",
      String(repeating: "ü", count: 500_000),
    ]
    #expect(try roundTrip(type, texts.map { .text($0) }) == texts.map { .text($0) })
  }

  @Test("Decimals keep 15 digits and lose needless zeros")
  func decimals() throws {
    let pairs = [
      ("0", "0"), ("1", "1"), ("-1.5", "-1.5"), ("1.50", "1.5"), ("3.3333333333", "3.3333333333"),
      ("0.1", "0.1"), ("123456789012345", "123456789012345"),
      ("9223372036854775807", "9223372036854775807"), ("0.000001", "1e-06"),
      ("100000000000000000000", "1e+20"), ("19.99", "19.99"), ("-0.07", "-0.07"),
    ]
    #expect(
      try roundTrip(.decimal, pairs.map { .text($0.0) }) == pairs.map { .text($0.1) })
    #expect(try roundTrip(.decimal, [.text("NaN"), .text("")]) == [.null, .null])
    for (_, text) in pairs { #expect(Decimal(string: text) != nil) }
  }

  @Test("Bytes keep every byte", arguments: [AttributeType.binary, .transformable])
  func bytes(type: AttributeType) throws {
    let blobs = [Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data(count: 1_000_000)]
    #expect(try roundTrip(type, blobs.map { .blob($0) }) == blobs.map { .blob($0) })
    let uuids = [Data(count: 16), Data(repeating: 255, count: 16)]
    #expect(try roundTrip(.uuid, uuids.map { .blob($0) }) == uuids.map { .blob($0) })
  }

  @Test("Nil is nil in a column of every type, before and after values")
  func nils() throws {
    let bench = try StoreBench(Self.types)
    try bench.insert("Thing", 1, [:])
    let values = try bench.values("Thing", 1)
    #expect(values.count == Self.types.count)
    #expect(Set(values.values) == [.null])
  }

  @Test("Wide entities keep values and nils apart", arguments: [32, 33, 40, 97, 120, 130, 400])
  func wide(count: Int) throws {
    let types: [AttributeType] = [.integer64, .string, .double, .binary, .decimal, .boolean]
    let attributes = (0..<count).map { ("a\($0)", types[$0 % types.count]) }
    let bench = try StoreBench(attributes)
    var expected: [Int64: [String: AttributeScalar]] = [:]
    for key in 1...20 {
      var values: [String: AttributeScalar] = [:]
      for (index, attribute) in attributes.enumerated() {
        values[attribute.0] = Self.value(attribute.1, index, key)
      }
      expected[Int64(key)] = values
    }
    let rows = expected.keys.sorted().map { bench.factory.row("Thing", $0, expected[$0] ?? [:]) }
    try bench.insert(rows)
    let list = try bench.fetch("Thing")
    #expect(list.map(\.key) == expected.keys.sorted())
    list.walk { row in
      #expect(bench.model.entity("Thing").values(of: row) == expected[row.key])
    }
    #expect(try bench.values("Thing", 7) == expected[7])
  }

  private static func value(_ type: AttributeType, _ index: Int, _ key: Int) -> AttributeScalar {
    if (index + key) % 3 == 0 { return .null }
    switch type.storageClass {
    case .integer: return .integer(Int64(type == .boolean ? index * key % 2 : index * key))
    case .real: return .real(Double(index) + 0.5)
    case .text: return .text(type == .decimal ? "\(index).25" : "text \(index) of \(key)")
    case .blob: return .blob(Data([UInt8(index % 256), UInt8(key)]))
    }
  }

  @Test("Rows larger than a block lie beside small ones")
  func large() throws {
    let bench = try StoreBench([("a", .string), ("b", .binary), ("c", .string)])
    let sizes = [10, 70_000, 5, 65_536, 200_000, 1, 65_400, 65_500]
    let rows = sizes.enumerated().map { index, size in
      bench.factory.row(
        "Thing", Int64(index + 1),
        [
          "a": .text(String(repeating: "a", count: size)), "b": .blob(Data(count: size / 2)),
          "c": .text("end \(size)"),
        ])
    }
    try bench.insert(rows)
    let list = try bench.fetch("Thing")
    let thing = bench.model.entity("Thing")
    list.withRows { rows in
      for (row, size) in zip(rows, sizes) {
        #expect(row.bytes(0).count == size)
        #expect(row.bytes(1).count == size / 2)
        #expect(thing.value("c", in: row) == .text("end \(size)"))
        #expect(list.memory.holds(row.block))
      }
    }
  }

  @Test("Column names are those of the file, whatever their order")
  func columnOrder() throws {
    let bench = try StoreBench([("b", .string), ("a", .integer64)])
    try bench.insert("Thing", 1, ["a": .integer(5), "b": .text("x")])
    try bench.store.close()
    let raw = RawDatabase(bench.url)
    raw.run("ALTER TABLE ZTHING DROP COLUMN ZA; ALTER TABLE ZTHING ADD COLUMN za INTEGER")
    raw.run("ALTER TABLE ZTHING ADD COLUMN ZOTHER; UPDATE ZTHING SET ZA = 7, ZOTHER = 1")
    let store = try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1)
    let reader = try store.reader()
    let thing = bench.model.entity("Thing")
    let values = try reader.rows([1], of: thing).map { thing.values(of: $0) }
    #expect(values == [["a": .integer(7), "b": .text("x")]])
    reader.finish()
    try store.close()
  }
}
