import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

/// Fetches and configurations that a model has by name.
@Suite(.againstHanging, .ownThread) struct TemplateTests {
  private static let source = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note">
            <attribute name="kind" optional="YES" attributeType="String"/>
            <attribute name="rank" attributeType="Integer 16" defaultValueString="0"/>
            <fetchedProperty name="alike" optional="YES">
                <fetchRequest name="x" entity="Note" predicateString="kind == $FETCH_SOURCE.kind AND SELF != $FETCH_SOURCE"/>
            </fetchedProperty>
        </entity>
        <entity name="Special" parentEntity="Note"/>
        <entity name="Other"/>
        <fetchRequest name="ranked" entity="Note" predicateString="rank &gt;= $LEAST" fetchLimit="2"/>
        <configuration name="Local">
            <memberEntity name="Special"/>
        </configuration>
    </model>
    """

  private func model() throws -> ManagedObjectModel {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "contents")
    try Data(Self.source.utf8).write(to: url)
    let copy = folder.appending(path: "Copy.xcdatamodel")
    try ManagedObjectModel(contentsOf: url).write(to: copy)
    return try ManagedObjectModel(contentsOf: copy)
  }

  private func notes(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    try [("a", 1), ("a", 2), ("b", 3), ("a", 4)].map { kind, rank in
      let note = try context.insertNewObject(forEntityName: "Note")
      try note.setValue(kind, forKey: "kind")
      try note.setValue(rank, forKey: "rank")
      return note
    }
  }

  private func ranks(_ objects: [ManagedObject]) -> [Int] {
    objects.map { Int($0.value(forKey: "rank") as? Int16 ?? 0) }.sorted()
  }

  @Test func `a template fetches with the values of its variables`() throws {
    let model = try model()
    let context = try Bench(.memory, model: model).committed()
    _ = try notes(context)
    let request = try model.fetchRequestFromTemplate(
      withName: "ranked", substitutionVariables: ["LEAST": 2])
    #expect(try context.fetch(request).count == 2)
    #expect(throws: CauldronError.self) {
      try model.fetchRequestFromTemplate(withName: "ranked")
    }
    let error = #expect(throws: CauldronError.self) {
      try model.fetchRequestFromTemplate(withName: "rank")
    }
    #expect(error?.description.contains("Did you mean \"ranked\"?") == true)
  }

  @Test func `a fetched property finds what belongs to its object`() throws {
    let context = try Bench(.memory, model: model()).committed()
    let notes = try notes(context)
    let alike = try #require(notes[0].value(forKey: "alike") as? [ManagedObject])
    #expect(ranks(alike) == [2, 4])
    #expect((notes[2].value(forKey: "alike") as? [ManagedObject])?.isEmpty == true)
  }

  @Test(
    arguments: [
      "kind == $FETCH_SOURCE.nosuch", "kind == $FETCH_SOURCE.kind.nosuch",
      "kind IN $FETCH_SOURCE.alike.kind", "no condition at all",
    ]) func `a fetched property with a wrong condition finds nothing, and says so in the log`(
      _ condition: String
    ) throws
  {
    let note = EntityDescription(
      name: "Note", properties: [.attribute(AttributeDescription(name: "kind", type: .string))])
    var entity = note
    entity.fetchedProperties = [
      FetchRequestTemplate(name: "alike", entityName: "Note", predicateFormat: condition)
    ]
    let bench = try Bench(.memory, model: ManagedObjectModel(entities: [entity]))
    let object = try bench.committed().insertNewObject(forEntityName: "Note")
    try object.setValue("a", forKey: "kind")
    #expect((object.value(forKey: "alike") as? [ManagedObject])?.isEmpty == true)
    #expect(bench.log.messages(.error).contains { $0.contains("Cannot fetch Note.alike") })
  }

  @Test func `a configuration has its entities and those that they inherit from`() throws {
    let model = try model()
    #expect(try model.configuration(named: "Local").entities.map(\.name) == ["Note", "Special"])
    #expect(throws: CauldronError.self) { try model.configuration(named: "Cloud") }
  }
}
