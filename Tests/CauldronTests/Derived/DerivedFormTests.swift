import Cauldron
import Foundation
import TestSupport
import Testing

/// Derived attributes of every form.
@Entity class Composer: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \Opus.composer) var works: ToMany<Opus>
}

/// A subentity that counts what a many-to-many relationship leads to.
@Entity final class Virtuoso: Composer {
  @Relationship(inverse: \Opus.players) var played: ToMany<Opus>
  @Attribute(derived: "played.@count") var playedCount: Int
}

/// What is composed.
@Entity final class Opus: ManagedObject {
  var title: String = ""
  var minutes: Int = 0
  @Relationship var composer: Composer?
  @Relationship var players: ToMany<Virtuoso>
  @Relationship(inverse: \Opus.parts) var whole: Opus?
  @Relationship var parts: ToMany<Opus>
  @Attribute(derived: "composer.name") var composerName: String?
  @Attribute(derived: "parts.@count") var partCount: Int
  @Attribute(derived: "parts.@sum.minutes") var partMinutes: Int
  @Attribute(derived: "now()") var savedAt: Date?
}

/// Forms of a text of its own.
@Entity class Verse: ManagedObject {
  var text: String?
  @Attribute(derived: "canonical:(text)") var plain: String?
  @Attribute(derived: "uppercase:(text)") var loud: String?
  @Attribute(derived: "lowercase:(text)") var low: String?
  @Attribute(derived: "text") var again: String?
}

/// A subentity that has a form of its own, too.
@Entity final class Stanza: Verse {
  var rhyme: String = "Aa"
  @Attribute(derived: "uppercase:(rhyme)") var pattern: String?
}

@Suite(.againstHanging, .ownThread) struct DerivedFormTests {
  private func forms(_ verse: Verse) -> [String?] {
    [verse.plain, verse.loud, verse.low, verse.again]
  }

  @Test(arguments: StoreKind.allCases)
  func `forms of a text follow it, also in subentities and batch updates`(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind, model: ManagedObjectModel(Verse.self, Stanza.self))
    let context = bench.child()
    let (verse, stanza) = (Verse.create(in: context), Stanza.create(in: context))
    verse.text = "Äpfel STRAßE"
    stanza.rhyme = "abba"
    try context.saveAndWait(toPersistentStore: true)
    #expect(forms(verse) == ["apfel strasse", "ÄPFEL STRASSE", "äpfel straße", "Äpfel STRAßE"])
    #expect(forms(stanza) == [nil, nil, nil, nil] && stanza.pattern == "ABBA")
    verse.text = nil
    stanza.text = "B"
    try context.saveAndWait(toPersistentStore: true)
    #expect(forms(verse) == [nil, nil, nil, nil])
    #expect(forms(stanza) == ["b", "B", "b", "B"])
    #expect(try Verse.count(where: { $0.plain == "b" }, in: bench.committed()) == 1)
    _ = try Stanza.where { $0.loud == "B" }.batchUpdate(in: context) { $0.text.set("É") }
    #expect(
      try Verse.count(where: { $0.plain == "e" && $0.loud == "É" }, in: bench.committed()) == 1)
    _ = try Stanza.where { $0.plain == "e" }.batchUpdate(in: context) { $0.text.set("B") }
    if kind == .file {
      let again = try bench.reopened()
      let other = again.committed()
      let found = try #require(try Verse.findFirst(where: { $0.loud == "B" }, in: other))
      found.text = "Ço"
      try other.save()
      #expect(found.loud == "ÇO" && found.plain == "co")
      #expect(try again.stack.coordinator.store.verify().isEmpty)
    }
  }

  private func opened(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Composer.self, Virtuoso.self, Opus.self))
  }

  private func values(_ opus: Opus) -> [String] {
    ["\(opus.composerName ?? "-")", "\(opus.partCount)", "\(opus.partMinutes)"]
  }

  @Test(arguments: StoreKind.allCases)
  func `each form follows the save`(_ kind: StoreKind) throws {
    let bench = try opened(kind)
    let context = bench.child()
    let ann = Virtuoso.create(in: context)
    ann.name = "Ann"
    let (opus, part) = (Opus.create(in: context), Opus.create(in: context))
    (opus.minutes, part.minutes) = (40, 7)
    opus.composer = ann
    part.whole = opus
    ann.played.insert(opus)
    ann.played.insert(part)
    try context.saveAndWait(toPersistentStore: true)
    #expect(values(opus) == ["Ann", "1", "7"] && values(part) == ["-", "0", "0"])
    #expect(ann.playedCount == 2)
    let saved = try #require(opus.savedAt)
    #expect(abs(saved.timeIntervalSinceNow) < 60)
    ann.name = "Eve"
    part.minutes = 8
    ann.played.remove(opus)
    try context.saveAndWait(toPersistentStore: true)
    #expect(values(opus) == ["Eve", "1", "8"] && ann.playedCount == 1)
    #expect(try Opus.count(where: \.partMinutes > 7, in: bench.committed()) == 1)
    part.delete()
    opus.composer = nil
    try context.saveAndWait(toPersistentStore: true)
    #expect(values(opus) == ["-", "0", "0"] && ann.playedCount == 0)
    #expect(try #require(opus.savedAt) >= saved)
    #expect(try bench.stack.coordinator.store.verify().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `what is derived from a derived value, or over a one-way reference, follows`(
    _ kind: StoreKind
  ) throws {
    func attribute(_ name: String, _ derivation: String? = nil) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: .string, derivation: derivation))
    }
    var best = RelationshipDescription(name: "best", destination: "Person", isToMany: false)
    best.isOneWay = true
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        properties: [
          attribute("name"), .relationship(best), attribute("bestName", "best.name"),
          attribute("bestOfBest", "best.bestName"),
        ])
    ])
    let bench = try Bench(kind, model: model)
    let context = bench.committed()
    let people = try (0..<3).map { number in
      let person = try context.insertNewObject(forEntityName: "Person")
      try person.setValue("\(number)", forKey: "name")
      return person
    }
    try people[0].setValue(people[1], forKey: "best")
    try people[1].setValue(people[2], forKey: "best")
    try context.save()
    func names() -> [String?] {
      ["bestName", "bestOfBest"].map { people[0].value(forKey: $0) as? String }
    }
    #expect(names() == ["1", "2"])
    try people[2].setValue("new", forKey: "name")
    try context.save()
    #expect(names() == ["1", "new"])
    people[1].delete()
    try context.save()
    #expect(names() == [nil, nil])
    #expect(try bench.stack.coordinator.store.verify().isEmpty)
  }

  @Test func `a store without the triggers gets them and the values`() throws {
    let bench = try opened(.file)
    let context = bench.child()
    let opus = Opus.create(in: context)
    opus.composer = Virtuoso.create(in: context)
    opus.composer?.name = "Ann"
    try context.saveAndWait(toPersistentStore: true)
    let url = try #require(bench.stack.coordinator.storeURL)
    try bench.stack.close()
    do {
      let other = OtherConnection(url)
      for name in other.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
        other.run("DROP TRIGGER \"\(name)\"")
      }
      other.run("UPDATE ZOPUS SET ZCOMPOSERNAME = NULL")
    }
    let again = try bench.reopened()
    let found = try #require(try Opus.findFirst(in: again.committed()))
    #expect(found.composerName == "Ann")
    #expect(try again.stack.coordinator.store.verify().isEmpty)
  }

  private func text(_ name: String, _ derivation: String? = nil) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: .string, derivation: derivation))
  }

  @Test(arguments: StoreKind.allCases)
  func `forms of forms, and of elements, are right in new rows, and after a migration`(
    _ kind: StoreKind
  ) throws {
    var spot = AttributeDescription(name: "spot", type: .composite)
    spot.elements = [AttributeDescription(name: "word", type: .string)]
    let plain = [text("first"), .attribute(spot), text("X", "uppercase:(first)")]
    let chain = [
      text("a", "canonical:(b)"), text("b", "uppercase:(c)"), text("c", "first"),
      text("word", "lowercase:(spot.word)"), text("copy", "spot.word"),
      text("x", "lowercase:(first)"), text("title", "uppercase:(first)"),
      text("title_sort", "first"),
    ]
    func model(_ properties: [PropertyDescription]) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [EntityDescription(name: "Row", properties: properties)])
    }
    func values(_ object: ManagedObject) -> [String] {
      ["X", "a", "b", "c", "word", "copy", "x", "title", "title_sort"].map {
        object.value(forKey: $0) as? String ?? "-"
      }
    }
    let whole = ["ÉA", "ea", "ÉA", "Éa", "hi", "Hi", "éa", "ÉA", "Éa"]
    let bench = try Bench(kind, model: model(plain + chain))
    let context = bench.committed()
    let row = try context.insertNewObject(forEntityName: "Row")
    try row.setValue("Éa", forKey: "first")
    try row.setValue(["word": "Hi"], forKey: "spot")
    try context.save()
    #expect(values(row) == whole)
    #expect(try bench.stack.coordinator.store.verify().isEmpty)
    guard kind == .file else { return }
    let old = try Bench(.file, model: model(plain))
    let before = old.committed()
    let first = try before.insertNewObject(forEntityName: "Row")
    try first.setValue("Éa", forKey: "first")
    try first.setValue("Hi", forKey: "spot.word")
    try before.save()
    let new = try old.reopened(with: model(plain + chain))
    let found = try new.committed().fetch(FetchRequest<ManagedObject>(entityName: "Row"))
    #expect(values(found[0]) == whole)
    #expect(try new.stack.coordinator.store.verify().isEmpty)
  }

  @Test(arguments: ["canonical:(none)", "uppercase:(count)", "count"])
  func `a form of what is no such attribute makes no store`(_ expression: String) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Row",
        properties: [
          .attribute(AttributeDescription(name: "count", type: .integer64)),
          text("x", expression),
        ])
    ])
    let error = #expect(throws: CauldronError.self) { try Bench(.file, model: model) }
    #expect(error?.code == .storeUnsupported)
  }

  @Test func `an expression that is not computed is read, and makes no store`() throws {
    let attribute = AttributeDescription(
      name: "key", type: .string, derivation: "upper:(name)")
    let entity = EntityDescription(
      name: "Place",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string)), .attribute(attribute),
      ])
    let model = try ManagedObjectModel(entities: [entity])
    let error = #expect(throws: CauldronError.self) { try Bench(.file, model: model) }
    #expect(error?.code == .storeUnsupported)
    #expect(error?.description.contains("Place.key is derived from \"upper:(name)\"") == true)
  }

  @Test(
    arguments: [
      ("works.@count", AttributeType.integer64, "Virtuoso has no to-many relationship \"works\""),
      ("friend.name", .string, "Virtuoso has no to-one relationship \"friend\""),
      ("fans.@sum.name", .integer64, "it is Integer 64, and Fan.name is String"),
      ("now()", .string, "it is String; make it Date"),
    ]) func `a wrong expression says what is wrong`(
      expression: String, type: AttributeType, words: String
    ) throws
  {
    let virtuoso = EntityDescription(
      name: "Virtuoso",
      properties: [
        .attribute(AttributeDescription(name: "x", type: type, derivation: expression)),
        .relationship(
          RelationshipDescription(name: "fans", destination: "Fan", inverse: "of", isToMany: true)),
      ])
    let fan = EntityDescription(
      name: "Fan",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string)),
        .relationship(
          RelationshipDescription(name: "of", destination: "Virtuoso", isToMany: false)),
      ])
    let error = #expect(throws: CauldronError.self) {
      try ManagedObjectModel(entities: [virtuoso, fan])
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
