import Cauldron
import Foundation
import TestSupport
import Testing

/// A value that no coder knows.
struct Shade: Equatable {
  let red: UInt8
  let green: UInt8
}

/// What makes two bytes of it.
private struct ShadeTransformer: AttributeTransformer {
  struct Short: Error {}

  func data(from value: Shade) throws -> Data { Data([value.red, value.green]) }

  func value(from data: Data) throws -> Shade {
    guard data.count == 2 else { throw Short() }
    return Shade(red: data[data.startIndex], green: data[data.startIndex + 1])
  }
}

/// A place that is archived as a dictionary.
struct Landing: Codable, Equatable {
  var name: String
  var at: Date
  var id: UUID
  var link: URL
  var sizes: [String: Double]
  var tags: Set<String>
  var next: [Landing]?
}

@Entity final class Archived: ManagedObject {
  @Attribute(transformer: "NSSecureUnarchiveFromData") var tags: [String] = ["new"]
  @Attribute(transformer: "NSSecureUnarchiveFromData") var landing: Landing?
  @Attribute(transformer: "test.shade") var shade: Shade?
  @Attribute(transformer: "test.unknown") var unknown: Shade?
  @Attribute(transformer: "NSSecureUnarchiveFromData") var keyed: [UUID: Int]?
  @Attribute(transformer: "NSSecureUnarchiveFromData") var words: Set<String>?
  var json: [Int] = [1]
}

@Suite(.againstHanging, .ownThread) struct TransformedTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    AttributeTransformers.register(ShadeTransformer(), named: "test.shade")
    bench = try Bench(.file, model: ManagedObjectModel(Archived.self))
    context = bench.child()
  }

  private func save() throws { try context.saveAndWait(toPersistentStore: true) }

  @Test func `values are what they were after a save, and Foundation reads the archives`() throws {
    let object = Archived.create(in: context)
    #expect(object.tags == ["new"])
    let landing = Landing(
      name: "a", at: Date(timeIntervalSinceReferenceDate: 2.5), id: UUID(),
      link: try #require(URL(string: "https://a.b")), sizes: ["x": 1], tags: ["t"],
      next: [])
    object.tags = ["x", "y"]
    object.landing = landing
    object.shade = Shade(red: 1, green: 2)
    try save()
    let found = try #require(try Archived.findFirst(in: bench.committed()))
    #expect(found.tags == ["x", "y"] && found.landing == landing)
    #expect(found.shade == Shade(red: 1, green: 2) && found.unknown == nil)
    let url = try #require(bench.stack.coordinator.storeURL)
    let hex = OtherConnection(url).texts("SELECT hex(ZTAGS) FROM ZARCHIVED")[0]
    let tags = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSArray.self, NSString.self], from: Data(hexadecimal: hex))
    #expect(tags as? [String] == ["x", "y"])
  }

  @Test func `an object without a class shows and takes the values`() throws {
    let object = Archived.create(in: context)
    object.shade = Shade(red: 3, green: 4)
    try save()
    let url = try #require(bench.stack.coordinator.storeURL)
    try bench.stack.close()
    let stack = try Stack(storeURL: url, model: ManagedObjectModel(contentsOf: url))
    let plain = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    try plain.performAndWait { _ in
      let object = try #require(
        try plain.fetch(FetchRequest<ManagedObject>(entityName: "Archived")).first)
      #expect(object.value(forKey: "tags") as? [String] == ["new"])
      #expect(object.value(forKey: "shade") as? Shade == Shade(red: 3, green: 4))
      #expect(object.value(forKey: "json") as? Data == Data("[1]".utf8))
      try object.setValue(["k": [1, NSNull(), Date.distantPast] as [Any]], forKey: "landing")
      try object.setValue(Shade(red: 5, green: 6), forKey: "shade")
      try object.setValue(["z"], forKey: "json")
      #expect(throws: CauldronError.self) { try object.setValue(7, forKey: "unknown") }
      #expect(throws: CauldronError.self) { try object.setValue(7, forKey: "shade") }
      try plain.saveAndWait(toPersistentStore: true)
      #expect((object.value(forKey: "landing") as? [String: Any])?.count == 1)
      #expect(object.value(forKey: "json") as? [String] == ["z"])
    }
    try stack.close()
    let again = try bench.reopened()
    let found = try #require(try Archived.findFirst(in: again.committed()))
    #expect(found.shade == Shade(red: 5, green: 6) && found.json == [1])
    #expect(found.landing == nil)
  }

  @Test func `a value of an unknown transformer is refused by the save, by its name`() throws {
    let object = Archived.create(in: context)
    object.unknown = Shade(red: 1, green: 1)
    let error = #expect(throws: CauldronError.self) { try save() }
    #expect(error?.description.contains("test.unknown") == true, "\(error?.description ?? "")")
    object.unknown = nil
    try save()
  }

  @Test func `keys of any type, and numbers that JSON has not, are read again`() throws {
    let (object, id) = (Archived.create(in: context), UUID())
    object.keyed = [id: 3]
    object.landing = Landing(
      name: "", at: .distantPast, id: id, link: URL(filePath: "/"), sizes: ["x": .infinity],
      tags: [], next: nil)
    try save()
    let found = try #require(try Archived.findFirst(in: bench.committed()))
    #expect(found.keyed == [id: 3] && found.landing?.sizes["x"] == .infinity)
  }

  @Test func `an equal value written again changes nothing`() throws {
    let object = Archived.create(in: context)
    let words = Set((0..<20).map { "word \($0)" })
    object.words = words
    try save()
    object.words = Set(words.map { $0 })
    object.tags = ["new"]
    context.processPendingChanges()
    #expect(!object.hasChanges)
  }

  @Test func `verify finds bytes that no transformer takes, also of optional attributes`() throws {
    let object = Archived.create(in: context)
    try save()
    let url = try #require(bench.stack.coordinator.storeURL)
    OtherConnection(url).run("UPDATE ZARCHIVED SET ZSHADE = x'010203', ZLANDING = x'00'")
    _ = object
    let findings = try bench.stack.coordinator.store.verify()
    #expect(findings.compactMap(\.property).sorted() == ["landing", "shade"])
  }

  @Test func `an import makes archives of what a record has`() async throws {
    let json = Data(#"[{"tags": ["a", "b"], "json": [7]}]"#.utf8)
    _ = try await bench.stack.importJSON(json, as: Archived.self)
    let observer = bench.committed()
    try await observer.perform { _ in
      let object = try #require(try Archived.findFirst(in: observer))
      #expect(object.tags == ["a", "b"] && object.json == [7])
      #expect(object.value(forKey: "tags") as? [String] == ["a", "b"])
    }
  }

  @Test func `a class that writes JSON reads an archive`() throws {
    let object = Archived.create(in: context)
    try object.setValue([4, 5], forKey: "json")
    #expect(object.json == [4, 5])
    try save()
    #expect(try Archived.findFirst(in: bench.committed())?.json == [4, 5])
  }
}

extension Data {
  /// The bytes that pairs of digits stand for.
  fileprivate init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = Data(
      stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
