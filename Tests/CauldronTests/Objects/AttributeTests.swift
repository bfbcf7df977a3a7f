import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct AttributeTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Everything.self, Perhaps.self, Defaults.self))
  }

  private let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
  private let uuid = UUID()

  @Test(arguments: StoreKind.allCases)
  func `values of every type survive a save`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child(of: bench.root)
    let id = fill(Everything.create(in: context)).objectID
    try context.saveAndWait(toPersistentStore: true)
    try check(try #require(try Everything.find(id, in: bench.committed())))
    try check(try #require(try Everything.find(id, in: context)))
  }

  @Test func `values of every type survive in the file`() throws {
    var bench = try bench(.file)
    let context = bench.child()
    fill(Everything.create(in: context))
    try context.saveAndWait(toPersistentStore: true)
    bench = try bench.reopened()
    try check(try #require(try Everything.findFirst(in: bench.committed())))
  }

  @discardableResult
  private func fill(_ object: Everything) -> Everything {
    object.text = "Grüße\u{0} 🙂"
    object.int = .min
    object.int16 = -3
    object.int32 = .max
    object.int64 = 1 << 60
    object.flag = true
    object.double = -0.1
    object.float = 1.5
    object.decimal = Decimal(string: "1234567.25") ?? 0
    object.date = date
    object.data = Data([0, 255, 7])
    object.uuid = uuid
    object.url = URL(filePath: "/a b")
    object.mood = .bad
    object.level = .high
    object.address = Address(street: "Weg", number: 3)
    object.tags = ["a", "b"]
    return object
  }

  private func check(_ object: Everything) throws {
    #expect(object.text == "Grüße\u{0} 🙂")
    #expect(object.int == .min && object.int16 == -3 && object.int32 == .max)
    #expect(object.int64 == 1 << 60)
    #expect(object.flag)
    #expect(object.double == -0.1 && object.float == 1.5)
    #expect(object.decimal == Decimal(string: "1234567.25"))
    #expect(object.date == date)
    #expect(object.data == Data([0, 255, 7]))
    #expect(object.uuid == uuid)
    #expect(object.url == URL(filePath: "/a b"))
    #expect(object.mood == .bad && object.level == .high)
    #expect(object.address == Address(street: "Weg", number: 3))
    #expect(object.tags == ["a", "b"])
  }

  @Test func `required values that were never set read as zero`() throws {
    let context = try bench(.memory).child()
    let object = Everything.create(in: context)
    #expect(object.text == "" && object.data == Data())
    #expect(object.int == 0 && object.int16 == 0 && object.int32 == 0 && object.int64 == 0)
    #expect(!object.flag && object.double == 0 && object.float == 0 && object.decimal == 0)
    #expect(object.date == Date(timeIntervalSinceReferenceDate: 0))
    #expect(object.uuid == UUID(uuid: zeroUUID))
    _ = object.url
    #expect(object.mood == .fine && object.level == .low && object.tags == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `optional values start as nil and can be cleared`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let object = Perhaps.create(in: context)
    #expect(isEmpty(object))
    fill(object)
    #expect(object.mood == .bad && object.level == .high && object.address?.number == 1)
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    let found = try #require(try Perhaps.find(object.objectID, in: reader))
    #expect(found.text == "t" && found.int == 1 && found.uuid == uuid && found.date == date)
    #expect(found.mood == .bad && found.address == Address(street: "s", number: 1))
    clear(object)
    #expect(isEmpty(object))
    try context.saveAndWait(toPersistentStore: true)
    #expect(isEmpty(try #require(try Perhaps.find(object.objectID, in: bench.committed()))))
  }

  private func fill(_ object: Perhaps) {
    object.text = "t"
    (object.int, object.int16, object.int32, object.int64) = (1, 2, 3, 4)
    (object.flag, object.double, object.float, object.decimal) = (false, 0, 0, 0)
    (object.date, object.data, object.uuid) = (date, Data(), uuid)
    object.url = URL(string: "https://example.org/x")
    (object.mood, object.level) = (.bad, .high)
    object.address = Address(street: "s", number: 1)
  }

  private func clear(_ object: Perhaps) {
    object.text = nil
    (object.int, object.int16, object.int32, object.int64) = (nil, nil, nil, nil)
    (object.flag, object.double, object.float, object.decimal) = (nil, nil, nil, nil)
    (object.date, object.data, object.uuid, object.url) = (nil, nil, nil, nil)
    (object.mood, object.level, object.address) = (nil, nil, nil)
  }

  private func isEmpty(_ object: Perhaps) -> Bool {
    let columns = object.committedValues().keys
    return columns.count == 16 && columns.allSatisfy { object.value(forKey: $0) == nil }
      && object.text == nil && object.int == nil && object.flag == nil && object.mood == nil
      && object.level == nil && object.address == nil && object.url == nil
  }

  @Test func `a new object has its defaults, computed ones made anew`() throws {
    let context = try bench(.memory).child()
    let objects = (0..<3).map { _ in Defaults.create(in: context) }
    #expect(Set(objects.map(\.token)).count == 3)
    for object in objects {
      #expect(object.title == "untitled" && object.count == -7 && object.ratio == 0.5)
      #expect(object.isOpen && object.note == "none")
      #expect(object.madeAt == Date(timeIntervalSinceReferenceDate: 5))
    }
  }

  @Test func `a transient value is kept with its object and not saved`() throws {
    let bench = try bench(.memory)
    let context = bench.child()
    let object = fill(Everything.create(in: context))
    object.scratch = [1, 2]
    try context.saveAndWait(toPersistentStore: true)
    #expect(object.scratch == [1, 2])
    #expect(try Everything.findFirst(in: bench.committed())?.scratch == [])
  }

  @Test func `a text may grow many times`() throws {
    let bench = try bench(.file)
    let context = bench.child()
    let objects = (0..<3).map { _ in Defaults.create(in: context) }
    var text = ""
    for round in 0..<300 {
      text += String(repeating: "ä\(round)", count: 20)
      for object in objects { object.title = text + "\(object.objectID)" }
    }
    #expect(objects.allSatisfy { $0.title == text + "\($0.objectID)" && $0.note == "none" })
    try context.saveAndWait(toPersistentStore: true)
    let found = try Defaults.findAll(in: bench.committed())
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.title == text + "\($0.objectID)" && $0.note == "none" })
  }

  @Test func `texts of two objects may grow in turn across events`() throws {
    let context = try bench(.memory).child()
    let (a, b) = (Defaults.create(in: context), Defaults.create(in: context))
    for round in 0..<50 {
      a.title += "a\(round)"
      b.title += "bb\(round)"
      b.note = (b.note ?? "") + "x"
      context.processPendingChanges()
    }
    #expect(a.title == (0..<50).reduce("untitled") { $0 + "a\($1)" })
    #expect(b.title == (0..<50).reduce("untitled") { $0 + "bb\($1)" })
    #expect(b.note == "none" + String(repeating: "x", count: 50))
  }
}

private let zeroUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
