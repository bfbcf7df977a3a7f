import Cauldron
import CauldronModel
import Foundation
import Testing

struct Shape: Codable, Equatable, Sendable {
  var sides: [Double]
}

struct Stubborn: Codable, Equatable, Sendable {
  struct Refusal: Error {}
  var mayEncode: Bool

  func encode(to encoder: any Encoder) throws {
    guard mayEncode else { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode(mayEncode)
  }

  init(mayEncode: Bool) { self.mayEncode = mayEncode }

  init(from decoder: any Decoder) throws {
    mayEncode = try decoder.singleValueContainer().decode(Bool.self)
  }
}

@Entity final class Sheet: ManagedObject {
  var title: String = ""
  var shape: Shape?
  var frame: Shape = Shape(sides: [])
  var stubborn: Stubborn?
}

@Entity final class Misled: ManagedObject {
  var shape: Shape = Shape(sides: [.nan])
}

@Suite struct UnencodableValueTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Sheet.self, Misled.self))
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a value that cannot be encoded is refused at the save, and nothing is lost`(
    _ kind: StoreKind, _ isSaved: Bool
  ) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let sheet = Sheet.create(in: context)
    sheet.shape = Shape(sides: [3])
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    sheet.shape = Shape(sides: [1, .nan])
    sheet.title = "kept"
    #expect(sheet.shape == nil && sheet.value(forKey: "shape") == nil)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationNotEncodable && error?.property == "shape")
    #expect(error?.message.hasPrefix("Sheet.shape cannot be encoded as JSON: ") == true)
    #expect(error?.message.contains("sides") == true)
    #expect(error?.objectIDs == [sheet.objectID])
    let stored = try Sheet.findFirst(in: bench.committed())
    #expect(isSaved ? stored?.shape == Shape(sides: [3]) : stored == nil)
    #expect(context.hasChanges && sheet.title == "kept")
    sheet.shape = Shape(sides: [4])
    try context.saveAndWait(toPersistentStore: true)
    let mended = try #require(try Sheet.findFirst(in: bench.committed()))
    #expect(mended.shape == Shape(sides: [4]) && mended.title == "kept")
  }

  @Test func `a rollback brings the last value back`() throws {
    let context = try bench(.memory).child()
    let sheet = Sheet.create(in: context)
    sheet.frame = Shape(sides: [1])
    try context.save()
    sheet.frame = Shape(sides: [.infinity])
    #expect(sheet.frame == Shape(sides: []))
    #expect(cauldronError { try context.save() }?.code == .validationNotEncodable)
    context.rollback()
    #expect(sheet.frame == Shape(sides: [1]))
    try context.save()
  }

  @Test func `an error of the program's own is named by its type`() throws {
    let context = try bench(.memory).child()
    Sheet.create(in: context).stubborn = Stubborn(mayEncode: false)
    let error = cauldronError { try context.save() }
    #expect(
      error?.message == "Sheet.stubborn cannot be encoded as JSON: encoding it throws Refusal.")
  }

  @Test func `a default that cannot be encoded is refused, too`() throws {
    let context = try bench(.memory).child()
    _ = Misled.create(in: context)
    #expect(cauldronError { try context.save() }?.code == .validationNotEncodable)
  }
}
