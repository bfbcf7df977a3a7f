import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Entity final class Meter: ManagedObject {
  var name: String = ""
  @Attribute(.indexed, isOptional: true) var count: Int
  @Attribute(isOptional: true) var share: Double = 0.5
  @Attribute(isOptional: true) var unit: String
  @Attribute(isOptional: true) var mode: Mode = .slow
  @Attribute(isOptional: false) var place: String?
  @Attribute(.range(1...9), isOptional: false) var level: Int?
  @Attribute(isOptional: false) var next: Mode?

  enum Mode: String { case slow, fast }
}

/// Attributes that are optional in the model and not in Swift, or the other way.
@Suite(.againstHanging) struct PresenceTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Meter.self))
  }

  private func meter(_ name: String, in context: ManagedObjectContext) -> Meter {
    let meter = Meter(context: context)
    meter.name = name
    meter.place = "here"
    meter.level = 1
    meter.next = .fast
    return meter
  }

  @Test func `the model has what the attribute says, whatever the type is`() throws {
    let entity = try #require(try ManagedObjectModel(Meter.self).entities.first)
    let optional = entity.properties.compactMap { property -> String? in
      guard case .attribute(let attribute) = property, attribute.isOptional else { return nil }
      return attribute.name
    }
    #expect(optional == ["count", "share", "unit", "mode"])
  }

  @Test(arguments: StoreKind.allCases)
  func `conditions find what has no value, which reads as zero or as the default`(
    _ kind: StoreKind
  ) throws {
    let bench = try bench(kind)
    let context = bench.child()
    let (empty, full) = (meter("empty", in: context), meter("full", in: context))
    try empty.setValue(nil, forKey: "mode")
    full.count = 0
    full.unit = ""
    for reader in [context, bench.committed()] {
      if reader !== context { try context.saveAndWait(toPersistentStore: true) }
      #expect(try names(in: reader) { $0.count == nil } == ["empty"])
      #expect(try names(in: reader) { $0.count != nil } == ["full"])
      #expect(try names(in: reader) { $0.count == 0 } == ["full"])
      #expect(try names(in: reader) { $0.unit == nil } == ["empty"])
      #expect(try names(in: reader) { $0.mode == nil } == ["empty"])
      #expect(try names(in: reader) { $0.share == nil } == [])
      let found = try #require(try Meter.findFirst(where: \.name == "empty", in: reader))
      #expect(found.count == 0 && found.unit == "" && found.share == 0.5 && found.mode == .slow)
      #expect(found.value(forKey: "count") == nil)
    }
    empty.count = 0
    #expect(empty.hasChanges)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try names(in: bench.committed()) { $0.count == nil } == [])
  }

  private func names(
    in context: ManagedObjectContext, _ condition: (QueryPath<Meter, Meter>) -> Where<Meter>
  ) throws -> [String] {
    try Meter.findAll(where: condition, in: context).map(\.name)
  }

  @Test func `what may be nil in Swift and not in the model is asked for by a save`() throws {
    let bench = try bench(.memory)
    let context = bench.child()
    let bad = meter("bad", in: context)
    bad.place = nil
    bad.next = nil
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationMultiple)
    #expect(error?.details.map(\.property) == ["place", "next"])
    #expect(error?.details.allSatisfy { $0.code == .validationMissing } == true)
    bad.place = "there"
    bad.next = .slow
    bad.level = 10
    #expect(cauldronError { try context.save() }?.code == .validationTooLarge)
    bad.level = 9
    #expect(throws: Never.self) { try context.save() }
  }
}
