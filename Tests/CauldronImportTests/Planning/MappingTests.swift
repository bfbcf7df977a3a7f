import Cauldron
import Foundation
import Testing

/// What the options say beside the model.
@Suite struct MappingTests {
  private func problems(
    _ mapping: ImportMapping, as entity: String = "Fruit"
  ) async throws -> String? {
    let hangar = try Hangar(ManagedObjectModel(Fruit.self, Apple.self))
    do {
      try await hangar.load(
        Apple.self, json: "[]", ImportOptions(mappings: [entity: mapping]))
      return nil
    } catch let error as CauldronError { return error.message }
  }

  @Test func `what is left out stays as the model says`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Fruit.self, Apple.self))
    let options = ImportOptions(mappings: [
      "Fruit": ImportMapping(attributes: [
        "name": AttributeImport(null: .keep), "code": AttributeImport(from: ["nr"]),
        "ripe": AttributeImport(from: ["ripened"]),
      ]),
      "Apple": ImportMapping(attributes: ["size": AttributeImport(from: ["big"])]),
    ])
    let report = try await hangar.load(
      Apple.self, json: #"[{"nr": 1, "title": "a", "big": 2, "ripened": 978307201}]"#, options)
    #expect(report.created == 1, "\(report)")
    let again = try await hangar.load(
      Apple.self, json: #"[{"nr": 1, "title": null, "big": 2}]"#, options)
    #expect(again.unchanged == 1, "\(again)")
    let read = try await hangar.only(Apple.self) { [$0.name, "\($0.size)", $0.note] }
    #expect(read == ["a", "2", "none"])
    #expect(
      try await hangar.only(Apple.self) { $0.ripe } == Date(timeIntervalSinceReferenceDate: 1))
  }

  @Test func `names take the place of a transform`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Fruit.self, Apple.self))
    let mapping = ImportMapping(attributes: ["taste": AttributeImport(from: ["flavour"])])
    for (options, taste) in [
      (ImportOptions(), "SWEET"), (ImportOptions(mappings: ["Apple": mapping]), "sour"),
    ] {
      try await hangar.load(
        Apple.self, json: #"[{"code": 1, "taste": "sweet", "flavour": "sour"}]"#, options)
      #expect(try await hangar.only(Apple.self) { $0.taste } == taste)
    }
  }

  @Test func `a transform can make the key`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Keyed.self))
    let report = try await hangar.load(
      Keyed.self,
      json: #"[{"a": "x", "b": "y"}, {"a": "x", "b": "y", "next": "x-z"}, {"a": "x", "b": "z"}]"#)
    #expect(report.records == 3 && report.problemCount == 0, "\(report)")
    let links = try await hangar.stack.save { context in
      try Keyed.findAll(sortedBy: \.code, in: context).map { "\($0.code)>\($0.next?.code ?? "")" }
    }
    #expect(links == ["x-y>x-z", "x-z>"])
  }

  @Test func `snake case stands for properties that name nothing`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Cased.self))
    let report = try await hangar.load(
      Cased.self, json: #"[{"first_name": "a", "text_url": "b", "given": "c", "home_town": "d"}]"#,
      ImportOptions(names: .snakeCase))
    #expect(report.created == 1)
    let read = try await hangar.only(Cased.self) {
      [$0.firstName, $0.textURL, $0.lastName, $0.homeTown]
    }
    #expect(read == ["a", "b", "c", "d"])
    let strict = try Hangar(ManagedObjectModel(Cased.self))
    try await strict.load(Cased.self, json: #"[{"first_name": "a"}]"#)
    #expect(try await strict.only(Cased.self) { $0.firstName } == .some(nil))
  }

  @Test func `what the options name and the model does not have is said at once`() async throws {
    let message = try await problems(
      ImportMapping(
        key: "code", alwaysInserts: true, attributes: ["nam": AttributeImport()],
        relationships: ["twigg": RelationshipImport()]))
    #expect(
      message == "Cannot import Apple: Fruit has no attribute \"nam\". Did you mean \"name\"?; "
        + "Fruit has no relationship \"twigg\". Did you mean \"twig\"?; "
        + "Fruit is to be found by \"code\", and every record to be a new object.")
    #expect(try await problems(ImportMapping(attributes: ["size": AttributeImport()])) == nil)
  }

  @Test func `a form for dates needs a date`() async throws {
    let mapping = ImportMapping(attributes: ["name": AttributeImport(dateFormats: [.iso8601])])
    #expect(
      try await problems(mapping)
        == "Cannot import Apple: Fruit.name is no date, and has a form for dates.")
  }

  @Test func `a to-one relationship can be linked only`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Fruit.self, Apple.self))
    let mapping = ImportMapping(relationships: ["twig": RelationshipImport(members: .linkOnly)])
    let report = try await hangar.load(
      Apple.self, json: #"[{"code": 1, "twig": {"code": 2, "title": "x"}}, {"code": 2}]"#,
      ImportOptions(mappings: ["Fruit": mapping]))
    #expect(report.created == 2 && report.problemCount == 0, "\(report)")
    let twigs = try await hangar.stack.save { context in
      try Apple.findAll(sortedBy: \.code, in: context).map { $0.twig?.code ?? 0 }
    }
    #expect(twigs == [2, 0])
  }

  @Test func `functions for what is never imported are said`() async throws {
    let error = await #expect(throws: CauldronError.self) {
      try await Hangar(ManagedObjectModel(Silent.self)).load(Silent.self, json: "[]")
    }
    #expect(
      error?.message
        == "Cannot import Silent: Silent.memory is transient, and has a function that imports it; "
        + "Silent.secret is not imported, and has a function that imports it.")
  }
}

@Entity class Fruit: ManagedObject {
  @Attribute(.unique) var code: Int
  @Attribute(from: "title") var name: String?
  @Attribute(dateFormat: .secondsSince1970) var ripe: Date?
  @Attribute(absent: .setDefault) var note: String? = "none"
  @Attribute(transform: ImportTransform { $0["taste"]?.string?.uppercased() }) var taste: String?
  @Relationship var twig: Fruit?
  @Relationship(inverse: \Fruit.twig, imported: false) var fruits: ToMany<Fruit>
}

@Entity final class Apple: Fruit {
  var size: Int = 0
}

@Entity final class Keyed: ManagedObject {
  @Attribute(
    .unique,
    transform: ImportTransform { source in
      source["a"].map { "\($0.string ?? "")-\(source["b"]?.string ?? "")" }
    }) var code: String
  @Relationship var next: Keyed?
  @Relationship(inverse: \Keyed.next, imported: false) var last: ToMany<Keyed>
}

@Entity final class Cased: ManagedObject {
  var firstName: String?
  @Attribute(from: "given") var lastName: String?
  var textURL: String?
  var homeTown: String?
}

@Entity final class Silent: ManagedObject {
  @Transient var memory: String?
  @Attribute(imported: false) var secret: String?

  func importMemory(_ value: String?) { memory = value }
  func importSecret(_ value: String?) { secret = value }
}
