import Foundation
import TestSupport
import Testing

@testable import CauldronArchive
@testable import CauldronModelFile

@Suite("Binary property lists")
struct PropertyListTests {
  private static func read(_ list: Any) throws -> [UInt8] {
    [UInt8](
      try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
  }

  @Test("Foundation reads what is written")
  func written() throws {
    let long = String(repeating: "x", count: 70_000)
    let tree = PropertyListTree.dictionary([
      "yes": .boolean(true), "no": .boolean(false), "real": .real(-0.25),
      "data": .data([UInt8](repeating: 7, count: 300)), "ümlaut🙂": .text("e\u{301}"),
      "long": .text(long), "list": .array((0..<300).map { .integer($0) }),
      "numbers": .array(
        [0, 255, 256, 65_535, 65_536, 1 << 32 - 1, 1 << 32, -1, .min, .max].map { .integer($0) }),
    ])
    let bytes = PropertyListWriter.bytes(of: tree)
    let list = try PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    let read = try #require(list as? [String: Any])
    #expect(read["yes"] as? Bool == true)
    #expect(read["no"] as? Bool == false)
    #expect(read["real"] as? Double == -0.25)
    #expect(read["data"] as? Data == Data(repeating: 7, count: 300))
    #expect((read["ümlaut🙂"] as? String)?.utf8.count == 3)
    #expect(read["long"] as? String == long)
    #expect(read["list"] as? [Int] == Array(0..<300))
    #expect(
      read["numbers"] as? [Int]
        == [0, 255, 256, 65_535, 65_536, 1 << 32 - 1, 1 << 32, -1, .min, .max])
  }

  @Test("Keys of very many accents are found in proportion to their length")
  func marks() throws {
    let growth = try Growth.ofFourfold(1_500) { count in
      let key = "a" + String(repeating: "\u{301}\u{323}", count: count)
      let bytes = PropertyListWriter.bytes(of: .dictionary([key: .boolean(true)]))
      return {
        var reader = try PropertyListReader(bytes)
        #expect(try reader.members(of: reader.top).count == 1)
      }
    }
    #expect(growth < Growth.limit)
  }

  @Test(
    "What Foundation writes is read",
    arguments: [
      (true, .boolean(true)), (false, .boolean(false)), (0, .integer(0)), (300, .integer(300)),
      (-5, .integer(-5)), (Int.max, .integer(.max)), (2.5, .real(2.5)), (Float(1.5), .real(1.5)),
      (Date(timeIntervalSinceReferenceDate: 12.5), .date(12.5)), ("abc", .text("abc")),
      (String(repeating: "Ä", count: 20), .text(String(repeating: "Ä", count: 20))),
      (Data([1, 2, 3]), .data([1, 2, 3])), (UInt64.max, .unsigned(.max)),
    ] as [(any Sendable, PropertyListObject)])
  func foundation(value: any Sendable, expected: PropertyListObject) throws {
    var reader = try PropertyListReader(Self.read([value]))
    guard case .array(let elements) = try reader.object(reader.top) else {
      Issue.record("there is no array")
      return
    }
    #expect(try reader.object(elements[0]) == expected)
  }

  @Test("References are written and read", arguments: [0, 255, 256, 70_000])
  func references(number: Int) throws {
    var reader = try PropertyListReader(PropertyListWriter.bytes(of: .reference(number)))
    #expect(try reader.object(reader.top) == .reference(number))
  }

  @Test("Many objects that share one array of bytes are not read without end")
  func shared() throws {
    // Each of the objects is the same large array.
    let count = 4_000
    var bytes = Array("bplist00".utf8) + [0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
    for _ in 0..<count { bytes += [0, 0] }
    let table = bytes.count
    for _ in 0..<count { bytes += [0, 8] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 2]
    for number in [count, 0, table] { bytes += PropertyListEncoding.bytes(of: number, size: 8) }
    var reader = try PropertyListReader(bytes)
    #expect(throws: ArchiveFailure.propertyList) {
      for number in 0..<count { _ = try reader.object(number) }
    }
  }
}
