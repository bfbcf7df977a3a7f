import CauldronArchive
import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("Property lists of stores from anywhere")
struct PropertyListReaderTests {
  private static func list(_ object: [String: Any]) throws -> [UInt8] {
    [UInt8](
      try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
  }

  @Test("What Foundation writes is read, long names and lists included")
  func foundation() throws {
    var hashes: [String: Data] = ["Zoë🙂": Data(repeating: 1, count: 32)]
    for number in 0..<300 {
      hashes["Entity\(number)\(String(repeating: "x", count: number))"] = Data([UInt8(number % 256)]
      )
    }
    let identifiers = (0..<20).map { "V\($0)" }
    let bytes = try Self.list([
      "NSStoreModelVersionHashes": hashes, "NSStoreModelVersionIdentifiers": identifiers,
      "other": ["a": 1, "b": [Date(), 2.5, true]] as [String: Any],
    ])
    let metadata = try #require(StoreMetadata(identifier: "I", propertyList: bytes))
    #expect(metadata.versionHashes == hashes)
    #expect(metadata.versionIdentifiers == identifiers)
  }

  /// A list in which each object but the last few is an array of the next one, twice.
  private static func shared(levels: Int) -> [UInt8] {
    var objects: [[UInt8]] = [
      [0xD2, 1, 2, 3, 4], [0x5F, 0x10, 25] + Array("NSStoreModelVersionHashes".utf8),
      [0x54] + Array("junk".utf8), [0xD0],
    ]
    for level in 0..<levels { objects.append([0xA2, UInt8(5 + level), UInt8(5 + level)]) }
    objects.append([0x40])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return bytes
  }

  @Test("Objects that are shared again and again cost nothing", .againstHanging)
  func sharing() throws {
    let metadata = try #require(
      StoreMetadata(identifier: "I", propertyList: Self.shared(levels: 60)))
    #expect(metadata.versionHashes == [:])
  }

  @Test("A long text that is named a thousand times is not read a thousand times")
  func budget() throws {
    let count = 60_000
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    func add(_ object: [UInt8]) {
      offsets.append(bytes.count)
      bytes += object
    }
    func big(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - $0))) }
    }
    func long(_ count: Int) -> [UInt8] { [0x12] + big(count, 4) }
    let references = (0..<(2 * count)).flatMap { number -> [UInt8] in [0, number < count ? 3 : 4] }
    add([0xD1, 0, 1, 0, 2])
    add([0x5F, 0x10, 25] + Array("NSStoreModelVersionHashes".utf8))
    add([0xDF] + long(count) + references)
    add([0x5F] + long(1_000_000) + [UInt8](repeating: 65, count: 1_000_000))
    add([0x40])
    let table = bytes.count
    for offset in offsets { bytes += big(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [5, 0, table] { bytes += big(number, 8) }
    #expect(StoreMetadata(identifier: "I", propertyList: bytes) == nil)
  }

  @Test("Whatever bytes there are, reading ends without a trap")
  func mutants() throws {
    let original = try Self.list([
      "NSStoreModelVersionHashes": ["Person": Data(repeating: 7, count: 32), "Ü": Data()],
      "NSStoreModelVersionIdentifiers": ["V1"],
    ])
    var generator = SeededGenerator(seed: 23)
    var refused = 0
    for round in 0..<20_000 {
      var bytes = original
      for _ in 0..<(1 + round % 4) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      if round % 10 == 0 { bytes = Array(bytes.prefix(round % original.count)) }
      if StoreMetadata(identifier: "I", propertyList: bytes) == nil { refused += 1 }
    }
    #expect(refused > 1_000)
  }

  @Test("Metadata that are too long to be read are refused")
  func tooLong() throws {
    let bench = try StoreBench([("a", .string)])
    try bench.store.close()
    RawDatabase(bench.url).run("UPDATE Z_METADATA SET Z_PLIST = zeroblob(40000000)")
    let error = try failure {
      _ = try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1)
    }
    #expect(error.code == .storeCorrupt)
  }
}
