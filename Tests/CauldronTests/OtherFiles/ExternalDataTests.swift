import Cauldron
import Foundation
import TestSupport
import Testing

/// Values that Core Data keeps in files beside the store.
@Suite(.againstHanging, .ownThread) struct ExternalDataTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.file("photos.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  private static func model(external: Bool) throws -> ManagedObjectModel {
    let photo = AttributeDescription(
      name: "photo", type: .binary, allowsExternalBinaryDataStorage: external)
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)), .attribute(photo),
        ])
    ])
  }

  /// Makes a store as Core Data would, with some cells.
  private func makeStore(_ cells: [String]) throws {
    let stack = try Stack(storeURL: url, model: Self.model(external: false))
    let context = stack.rootSavingContext
    try context.performAndWait { _ in
      for _ in cells { _ = try context.insertNewObject(forEntityName: "Person") }
      try context.saveAndWait(toPersistentStore: true)
    }
    try stack.close()
    let other = OtherConnection(url)
    for (number, cell) in cells.enumerated() {
      other.run("UPDATE ZPERSON SET ZPHOTO = \(cell) WHERE Z_PK = \(number + 1)")
    }
    let hash = try #require(try Self.model(external: true).entityVersionHashesByName["Person"])
    try Metadata(url).setHash(Data(hash), of: "Person")
  }

  private func photos() throws -> [Data?] {
    var configuration = StackConfiguration()
    configuration.readOnly = true
    let stack = try Stack(
      storeURL: url, model: Self.model(external: true), configuration: configuration)
    defer { try? stack.close() }
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    return try context.performAndWait { _ in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
        .map { $0.value(forKey: "photo") as? Data }
    }
  }

  @Test func `values within and beside the store are read`() throws {
    try makeStore(["x'01AABB'", Self.reference("ABC-1"), "NULL", "x'01'"])
    let folder = directory.file(".photos_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([7, 8, 9]).write(to: folder.appending(path: "ABC-1"))
    #expect(try photos() == [Data([0xAA, 0xBB]), Data([7, 8, 9]), nil, Data()])
  }

  /// A cell that names a file.
  private static func reference(_ name: String) -> String {
    "x'02\(name.utf8.map { String(format: "%02X", $0) }.joined())00'"
  }

  @Test(arguments: ["none", "../photos.sqlite", ""])
  func `a file that is not there is named, with the column`(_ name: String) throws {
    try makeStore([Self.reference(name)])
    let error = #expect(throws: CauldronError.self) { try photos() }
    #expect(error?.description.contains("ZPHOTO") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("cannot be read") == true)
  }

  @Test func `such a store is not opened for writing`() throws {
    try makeStore(["x'01AA'"])
    let error = #expect(throws: CauldronError.self) {
      try Stack(storeURL: url, model: Self.model(external: true))
    }
    #expect(error?.code == .storeUnsupported && error?.description.contains("readOnly") == true)
  }
}

/// The property list in a store's metadata.
private struct Metadata {
  private let url: URL

  init(_ url: URL) { self.url = url }

  func setHash(_ hash: Data, of entity: String) throws {
    let other = OtherConnection(url)
    let hex = other.texts("SELECT hex(Z_PLIST) FROM Z_METADATA")[0].compactMap(\.hexDigitValue)
    let bytes = Data(
      stride(from: 0, to: hex.count, by: 2).map { UInt8(hex[$0] << 4 | hex[$0 + 1]) })
    var list = try #require(
      try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
    var hashes = list["NSStoreModelVersionHashes"] as? [String: Any] ?? [:]
    hashes[entity] = hash
    list["NSStoreModelVersionHashes"] = hashes
    let new = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let text = new.map { String(format: "%02X", $0) }.joined()
    other.run("UPDATE Z_METADATA SET Z_PLIST = x'\(text)'")
  }
}
