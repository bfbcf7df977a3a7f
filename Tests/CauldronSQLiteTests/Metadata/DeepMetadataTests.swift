import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@testable import CauldronArchive
@testable import CauldronModelFile
@testable import CauldronSQLite

@Suite("Metadata with collections that lie in one another")
struct DeepMetadataTests {
  /// A property list of version hashes and of so many arrays in one another.
  private static func list(_ model: ManagedObjectModel, depth: Int, isCircular: Bool = false)
    -> [UInt8]
  {
    var objects: [PropertyListObject] = []
    func add(_ object: PropertyListObject) -> Int {
      objects.append(object)
      return objects.count - 1
    }
    var nested = add(.array([]))
    for _ in 1..<max(depth, 2) { nested = add(.array([nested])) }
    if isCircular { objects[0] = .array([nested]) }
    let hashes = model.entityVersionHashesByName.map { (add(.text($0.key)), add(.data($0.value))) }
    let entries = [
      (
        add(.text("NSStoreModelVersionHashes")),
        add(.dictionary(keys: hashes.map(\.0), values: hashes.map(\.1)))
      ),
      (add(.text("x")), nested),
    ]
    let top = add(.dictionary(keys: entries.map(\.0), values: entries.map(\.1)))
    var (bytes, offsets) = (Array("bplist00".utf8), [Int]())
    let encoding = PropertyListEncoding(referenceSize: 4)
    for object in objects {
      offsets.append(bytes.count)
      bytes += encoding.bytes(of: object)
    }
    let table = bytes.count
    for number in offsets { bytes += PropertyListEncoding.bytes(of: number, size: 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [objects.count, top, table] {
      bytes += PropertyListEncoding.bytes(of: number, size: 8)
    }
    return bytes
  }

  private static func put(_ bytes: [UInt8], _ url: URL) {
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(RawDatabase(url).run("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'") == 0)
  }

  private static func model(_ withMore: Bool = false) throws -> ManagedObjectModel {
    let names = withMore ? ["a", "b"] : ["a"]
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "P", properties: names.map { TestModels.attribute($0, .string) })
    ])
  }

  @Test("What is nested a little is taken", arguments: [2, 90])
  func shallow(depth: Int) throws {
    let bench = try StoreBench(try Self.model())
    try bench.store.close()
    Self.put(Self.list(try Self.model(), depth: depth), bench.url)
    try bench.reopen()
    #expect(try bench.store.verify().allSatisfy { $0.kind != .fileDamaged })
  }

  @Test(
    "What is nested too deeply is a damaged store for all that read it",
    arguments: [(101, false), (5_000, false), (20_000, false), (3, true)])
  func deep(depth: Int, isCircular: Bool) throws {
    let bench = try StoreBench(try Self.model())
    try bench.insert("P", 1, ["a": .text("x")])
    try bench.store.close()
    let copy = bench.directory.file("copy.sqlite")
    try StoreBackup(of: bench.url, at: copy).take()
    let bytes = Self.list(try Self.model(), depth: depth, isCircular: isCircular)
    Self.put(bytes, copy)
    let before = try Data(contentsOf: bench.url)
    #expect(
      try failure { try StoreBackup(of: bench.url, at: copy).restore(replacesOther: true) }.code
        == .storeCorrupt)
    #expect(try Data(contentsOf: bench.url) == before)
    Self.put(bytes, bench.url)
    let ways: [() throws -> Void] = [
      { try bench.reopen() }, { _ = try StoreExamination(bench.url).verify() },
      { _ = try StoreExamination(bench.url).summary() },
    ]
    for way in ways { #expect(try failure(way).code == .storeCorrupt) }
    var options = SQLiteStoreOptions()
    options.migration = MigrationPermission()
    let error = try failure {
      _ = try SQLiteStore.open(
        url: bench.url, model: Self.model(true), storeNumber: 2, options: options)
    }
    #expect(error.code == .storeCorrupt)
  }

  @Test("An archive that is nested too deeply is none")
  func archive() throws {
    #expect(throws: ArchiveFailure.self) {
      try StoredModel(archive: Self.list(try Self.model(), depth: 300))
    }
  }
}
