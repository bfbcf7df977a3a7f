import Cauldron
import Foundation
import TestSupport
import Testing

/// The class of an entity that a file has, too.
@Entity("Memo") final class JoinedMemo: ManagedObject {
  @Attribute(.length(1...)) var title: String = "New"
  var rank: Int16 = 3
  @Relationship(inverse: \JoinedTag.memos) var tags: ToMany<JoinedTag>
  @Transient var isOpen: Bool = false
}

/// What it is found by.
@Entity("MemoTag") final class JoinedTag: ManagedObject {
  var name: String?
  @Relationship var memos: ToMany<JoinedMemo>
}

@Suite(.againstHanging, .ownThread) struct ModelJoiningTests {
  private static let text = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Memo">
            <attribute name="rank" attributeType="Integer 16" defaultValueString="3"/>
            <attribute name="title" attributeType="String" defaultValueString="New"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="MemoTag" inverseName="memos" inverseEntity="MemoTag"/>
            <fetchedProperty name="alike" optional="YES">
                <fetchRequest name="alike" entity="Memo" predicateString="title == $FETCH_SOURCE.title"/>
            </fetchedProperty>
        </entity>
        <entity name="MemoTag">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="memos" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Memo" inverseName="tags" inverseEntity="Memo"/>
        </entity>
        <entity name="Place">
            <attribute name="name" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """

  private func file(_ text: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let url = folder.appending(path: "Memos.xcdatamodel/contents")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.deletingLastPathComponent()
  }

  private func joined(_ text: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      contentsOf: file(text), classes: [JoinedMemo.self, JoinedTag.self])
  }

  @Test func `entities have their classes, and others have none`() throws {
    let bench = try Bench(.file, model: joined(Self.text))
    let context = bench.child()
    let memo = JoinedMemo.create(in: context)
    memo.title = "Milk"
    memo.tags.insert(JoinedTag.create(in: context))
    let place = try context.insertNewObject(forEntityName: "Place")
    try place.setValue("Rome", forKey: "name")
    #expect(type(of: place) == ManagedObject.self)
    try context.saveAndWait(toPersistentStore: true)
    let found = try #require(try JoinedMemo.findFirst(in: bench.committed()))
    #expect(found.title == "Milk" && found.rank == 3 && found.tags.count == 1)
    #expect((found.value(forKey: "alike") as? [ManagedObject])?.count == 1)
    #expect(
      bench.stack.model.entityVersionHashesByName
        == (try ManagedObjectModel(contentsOf: file(Self.text)).entityVersionHashesByName))
  }

  @Test func `a class that does not agree with the file says what differs`() throws {
    let other = Self.text
      .replacing(
        "name=\"rank\" attributeType=\"Integer 16\"",
        with: "name=\"rank\" attributeType=\"Integer 64\""
      )
      .replacing("name=\"title\" attribute", with: "name=\"title\" optional=\"YES\" attribute")
      .replacing(
        "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\n        <relationship name=\"memos\"",
        with: "<relationship name=\"memos\" ordered=\"YES\"")
    let error = #expect(throws: CauldronError.self) { try joined(other) }
    let message = error?.message ?? ""
    #expect(error?.code == .modelInvalid)
    for sentence in [
      "Memo.rank is Integer 16 in the class and Integer 64 in Memos.xcdatamodel",
      "Memo.title is required in the class and optional in Memos.xcdatamodel",
      "MemoTag.memos is not ordered in the class and ordered in Memos.xcdatamodel",
    ] { #expect(message.contains(sentence), "\(message)") }
  }

  @Test func `differences name entities, properties, constraints and expressions`() throws {
    func model(_ entities: [EntityDescription]) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: entities)
    }
    func attribute(_ name: String, _ type: AttributeType = .string) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: type))
    }
    let one = try model([
      EntityDescription(
        name: "A", properties: [attribute("x"), attribute("y")], uniquenessConstraints: [["x"]]),
      EntityDescription(name: "B", superentity: "A", properties: []),
    ])
    let two = try model([
      EntityDescription(name: "A", isAbstract: true, properties: [attribute("x", .date)]),
      EntityDescription(name: "C", properties: [attribute("z")]),
    ])
    #expect(
      one.differences(from: two) == [
        "A is concrete here and abstract there", "A has unique (x) here and nothing there",
        "A.x is String here and Date there", "A.y is missing there", "B is missing there",
        "C is missing here",
      ])
    #expect(one.differences(from: one).isEmpty)
  }

  @Test func `models of different entities are merged, and those that contradict are refused`()
    throws
  {
    func model(_ name: String, _ type: AttributeType, _ more: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Shared", properties: [.attribute(AttributeDescription(name: "x", type: type))]),
          EntityDescription(
            name: more, properties: [.attribute(AttributeDescription(name: "y", type: .date))]),
        ], name: name, versionIdentifiers: [name])
    }
    let (notes, people) = (
      try model("Notes", .string, "Note"), try model("People", .string, "Person")
    )
    let merged = try ManagedObjectModel.merged([notes, people])
    #expect(merged.entities.map(\.name) == ["Note", "Person", "Shared"])
    #expect(merged.versionIdentifiers == ["Notes", "People"])
    let error = #expect(throws: CauldronError.self) {
      try ManagedObjectModel.merged([notes, model("Other", .date, "Note")])
    }
    #expect(
      error?.message.contains("Shared.x is String in Notes and Date in Other") == true)
  }

  @Test func `a stack is set up with the model of a file`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let model = directory.file("Memos.xcdatamodel")
      try ManagedObjectModel(JoinedMemo.self, JoinedTag.self).write(to: model)
      try setupStack(storeURL: directory.file("memos.sqlite"), modelURL: model)
      #expect(Stack.default.model.entities.map(\.name) == ["Memo", "MemoTag"])
      try await Stack.default.save { JoinedMemo.create(in: $0.context).title = "Milk" }
      let titles = try await Stack.default.save {
        try JoinedMemo.findAll(in: $0.context).map(\.title)
      }
      #expect(titles == ["Milk"])
      try Stack.cleanUp()
    }
  }
}
