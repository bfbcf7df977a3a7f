import Cauldron
import Foundation
import Testing

/// What is written comes back, or is not written.
@Suite struct LossyExportTests {
  private func problem<Entity: ManagedEntity>(
    _ type: Entity.Type, _ options: ImportOptions = ImportOptions(),
    _ change: @escaping @Sendable (Entity, LocalContext) throws -> Void
  ) async throws -> String? {
    let hangar = try Hangar(
      ManagedObjectModel(Crate.self, CrateLabel.self, Kind.self, SubKind.self))
    return try await hangar.stack.save { context in
      let object = type.create(in: context)
      defer { context.rollback() }
      try change(object, context)
      do {
        let json = try object.exportJSON(depth: 3, options: options)
        return "wrote \(json)"
      } catch let error as CauldronError { return error.message }
    }
  }

  @Test func `nil that would not come back is not written`() async throws {
    #expect(
      try await problem(Crate.self) { crate, _ in crate.code = nil }
        == "Cannot export Crate.code: it is nil, and the object is found by it.")
    #expect(
      try await problem(Crate.self) { crate, _ in try crate.setValue(nil, forKey: "owner") }
        == "Cannot export Crate.owner: it is required, and nil.")
    #expect(
      try await problem(Crate.self) { crate, _ in crate.mood = nil }
        == "Cannot export Crate.mood: it is nil, and null is imported as its default.")
  }

  @Test func `objects without a key are left out, however deep one writes`() async throws {
    #expect(
      try await problem(Crate.self) { crate, context in
        let label = CrateLabel.create(in: context)
        label.crate = crate
      }
        == #"wrote {"code":1,"owner":"x","mood":"m","stamp":"s:1","kindText":null}"#)
    let mapping = ImportMapping(relationships: ["labels": RelationshipImport(absent: .setNil)])
    #expect(
      try await problem(Crate.self, ImportOptions(mappings: ["Crate": mapping])) { crate, context in
        CrateLabel.create(in: context).crate = crate
      } == "Cannot export Crate.labels: what it leads to has no key, and would be taken out.")
  }

  @Test func `a relationship's transform writes what it has read`() async throws {
    let hangar = try Hangar(
      ManagedObjectModel(Crate.self, CrateLabel.self, Kind.self, SubKind.self))
    let json = #"{"code":1,"owner":"x","mood":"m","stamp":"s:1","kindText":"kind 5","labels":[]}"#
    #expect(try await hangar.load(Crate.self, json: json).problemCount == 0)
    #expect(try await hangar.only(Crate.self) { $0.kind?.id } == 5)
    #expect(try await hangar.only(Crate.self) { try $0.exportJSON() } == json)
    #expect(try await hangar.load(Crate.self, json: json).unchanged == 1)
  }

  @Test func `what a transform makes is written as it can be read`() async throws {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    for (made, text) in [
      (date as any Sendable, "\"2001-01-01T00:00:00Z\""), (Data([0, 1]), "\"AAE=\""),
      (["a": 1.5] as [String: any Sendable], "{\"a\":1.5}"),
    ] {
      let transform = ImportTransform(writing: { _ in made }, { $0["stamp"] })
      #expect(try await stamp(transform)?.contains("\"stamp\":\(text)") == true)
    }
    for made: any Sendable in [Double.nan, Duration.seconds(1), Hangar.self] {
      let transform = ImportTransform(writing: { _ in made }, { $0["stamp"] })
      #expect(
        try await stamp(transform)
          == "Cannot export Crate.stamp: JSON has no form for what its transform makes.")
    }
  }

  private func stamp(_ transform: ImportTransform) async throws -> String? {
    let mapping = ImportMapping(attributes: ["stamp": AttributeImport(transform: transform)])
    return try await problem(Crate.self, ImportOptions(mappings: ["Crate": mapping])) { _, _ in }
  }

  @Test func `objects of subentities are not written as if they were less`() async throws {
    let hangar = try Hangar(
      ManagedObjectModel(Crate.self, CrateLabel.self, Kind.self, SubKind.self))
    try await hangar.load(SubKind.self, json: #"[{"id": 5, "size": 2}]"#)
    try await hangar.load(
      Crate.self, json: #"[{"code": 1, "stamp": "s:1", "kindText": "kind 5"}]"#)
    let texts = try await hangar.stack.save { context -> [String] in
      let kinds = try Kind.findAll(in: context)
      let one = try kinds[0].exportJSON()
      let crate = try Crate.findFirst(in: context)?.exportJSON(depth: 2) ?? ""
      do { return [try kinds.exportJSON(), one, crate] } catch let error as CauldronError {
        return [error.message, one, crate]
      }
    }
    #expect(
      texts[0] == "Cannot export a SubKind as a Kind: not all of it would come back.")
    #expect(texts[1] == #"{"id":5,"size":2}"#)
    #expect(texts[2].contains(#""kindText":"kind 5""#))
  }

  @Test func `deleted objects are not written`() async throws {
    #expect(
      try await problem(Crate.self) { crate, context in
        crate.delete()
        context.processPendingChanges()
      } == "Cannot export Crate: the object is deleted.")
    let hangar = try Hangar(
      ManagedObjectModel(Kind.self, SubKind.self, Crate.self, CrateLabel.self))
    let message = try await hangar.stack.save { context -> String? in
      let kind = Kind.create(in: context)
      kind.delete()
      do { return try [kind].exportJSON() } catch let error as CauldronError {
        return error.message
      }
    }
    #expect(message == "Cannot export Kind: the object is deleted.")
    #expect(try [Kind]().exportJSON() == "[]")
  }
}

@Entity final class Crate: ManagedObject {
  @Attribute(.unique) var code: Int? = 1
  var owner: String = "x"
  @Attribute(null: .setDefault) var mood: String? = "m"
  @Attribute(
    transform: ImportTransform(
      writing: { "s:\($0)" },
      { source in source["stamp"]?.string.flatMap { Int($0.dropFirst(2)) } })) var stamp: Int = 1
  @Relationship(
    from: "kindText",
    transform: ImportTransform(
      writing: { value in (value as? ImportSource)?.int.map { "kind \($0)" } },
      { source in source["kindText"]?.string.flatMap { Int($0.dropFirst(5)) } })) var kind: Kind?
  @Relationship(inverse: \CrateLabel.crate) var labels: ToMany<CrateLabel>
}

@Entity final class CrateLabel: ManagedObject {
  var text: String?
  @Relationship(imported: false) var crate: Crate?
}

@Entity class Kind: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: \Crate.kind, imported: false) var crates: ToMany<Crate>
}

@Entity final class SubKind: Kind {
  var size: Int = 0
}
