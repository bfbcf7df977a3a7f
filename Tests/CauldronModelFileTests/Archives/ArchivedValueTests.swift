import CauldronArchive
import Foundation
import TestSupport
import Testing

@Suite("Values in keyed archives", .ownThread)
struct ArchivedValueTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 712_345.25)
  private static let uuid = UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100")

  /// Values of every class, and what Foundation has for each.
  private static func samples() throws -> [(value: ArchivedValue, object: NSObject)] {
    let url = try #require(URL(string: "https://example.org/a?b=c"))
    let uuid = try #require(uuid)
    let link = try #require(NSURL(string: url.absoluteString))
    let identity = try #require(NSUUID(uuidString: uuid.uuidString))
    return [
      (.text("Grüße\u{0}"), NSString(string: "Grüße\u{0}")), (.text(""), NSString(string: "")),
      (.integer(-5), NSNumber(value: -5)), (.integer(.max), NSNumber(value: Int.max)),
      (.real(0.1), NSNumber(value: 0.1)), (.boolean(true), NSNumber(value: true)),
      (.date(date), NSDate(timeIntervalSinceReferenceDate: 712_345.25)),
      (.data(Data([0, 255])), NSData(data: Data([0, 255]))),
      (.url(url), link), (.uuid(uuid), identity),
      (.null, NSNull()),
      (.array([.text("a"), .integer(1), .null]), NSArray(array: ["a", 1, NSNull()])),
      (.set([.text("a")]), NSSet(array: ["a"])),
      (.dictionary([.text("k"): .array([.real(1.5)])]), NSDictionary(dictionary: ["k": [1.5]])),
    ]
  }

  private static let classes: [AnyClass] = [
    NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    NSArray.self, NSSet.self, NSDictionary.self, NSOrderedSet.self,
  ]

  @Test("Foundation reads what is written, with secure coding")
  func written() throws {
    for (value, object) in try Self.samples() {
      let read = try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: Self.classes, from: value.archive)
      #expect((read as? NSObject)?.isEqual(object) == true, "\(value): \(String(describing: read))")
    }
  }

  @Test("What Foundation has written is read")
  func read() throws {
    for (value, object) in try Self.samples() {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      let found = try ArchivedValue(archive: data)
      if value == .boolean(true) {
        #expect(found == value || found == .integer(1))
      } else {
        #expect(found == value)
      }
    }
  }

  @Test("A value is the same after it was written and read")
  func roundTrip() throws {
    for (value, _) in try Self.samples() {
      #expect(try ArchivedValue(archive: value.archive) == value)
    }
    let ordered = ArchivedValue.orderedSet([.text("b"), .text("a")])
    #expect(try ArchivedValue(archive: ordered.archive) == ordered)
    let decimal = ArchivedValue.decimal(Decimal(string: "-12.0345") ?? 0)
    #expect(try ArchivedValue(archive: decimal.archive) == decimal)
  }

  @Test("Swift's and Foundation's values are taken, others and too deep ones are not")
  func plain() throws {
    #expect(ArchivedValue(["a", "b"]) == .array([.text("a"), .text("b")]))
    #expect(ArchivedValue(true) == .boolean(true) && ArchivedValue(1) == .integer(1))
    #expect(ArchivedValue(Set([1])) == .set([.integer(1)]))
    #expect(ArchivedValue([1: 2.5]) == .dictionary([.integer(1): .real(2.5)]))
    #expect(ArchivedValue(Optional<Int>.none as Any) == .null)
    #expect(ArchivedValue(NSOrderedSet(array: [1])) == .orderedSet([.integer(1)]))
    #expect(ArchivedValue(ArchivedValueTests.self) == nil && ArchivedValue(UInt64.max) == nil)
    var nested: Any = 1
    for _ in 0..<200 { nested = [nested] }
    #expect(ArchivedValue(nested) == nil)
    let plain = ArchivedValue.dictionary([.text("k"): .set([.integer(1)])]).plain
    #expect((plain as? [String: Any])?["k"] as? Set<AnyHashable> == [1])
  }

  @Test("Numbers of 64 bits are exact, and keys that are equal in Swift are one")
  func numbers() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSNumber(value: UInt64.max), requiringSecureCoding: true)
    #expect(try ArchivedValue(archive: data) == .decimal(Decimal(UInt64.max)))
    let entries: [ArchivedValue: ArchivedValue] = [.integer(1): .text("a"), .real(1): .text("a")]
    #expect((ArchivedValue.dictionary(entries).plain as? [AnyHashable: Any])?.count == 1)
    #expect(ArchivedValue(Decimal.nan) == nil)
  }

  @Test("An object of another class is named")
  func otherClass() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSIndexSet(index: 3), requiringSecureCoding: true)
    let error = #expect(throws: ArchiveFailure.self) { try ArchivedValue(archive: data) }
    #expect("\(String(describing: error))".contains("IndexSet"))
  }

  @Test("A circle, and shared objects that stand for a large tree, end in time")
  func bombs() throws {
    var writer = KeyedArchiveWriter()
    let place = writer.reserve()
    writer.object(["NSArray"], with: ["NS.objects": .array([.reference(place)])], at: place)
    let circle = Data(writer.bytes(root: place))
    #expect(throws: ArchiveFailure.self) { try ArchivedValue(archive: circle) }
    writer = KeyedArchiveWriter()
    var level = writer.append(.integer(1))
    for _ in 0..<60 {
      level = writer.object(
        ["NSArray"], with: ["NS.objects": .array([.reference(level), .reference(level)])])
    }
    let bomb = Data(writer.bytes(root: level))
    #expect(throws: ArchiveFailure.self) { try ArchivedValue(archive: bomb) }
  }

  @Test("Damaged archives give a failure or a value")
  func damaged() throws {
    var random = SeededGenerator(seed: 20_261_130)
    let archives = try Self.samples().map(\.value.archive)
    for _ in 0..<2_000 {
      var bytes = archives.randomElement(using: &random) ?? Data()
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes = bytes.prefix(.random(in: 0...bytes.count, using: &random))
      }
      _ = try? ArchivedValue(archive: bytes)
    }
  }
}
