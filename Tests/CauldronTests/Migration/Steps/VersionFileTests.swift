import Cauldron
import Foundation
import TestSupport
import Testing

/// Plans that take the versions of a model from its directory.
@Suite(.againstHanging) struct VersionFileTests {
  private let folder: TemporaryDirectory
  private var models: URL { folder.file("Notes.xcdatamodeld") }

  init() throws {
    folder = try TemporaryDirectory()
    // Eleven versions, each of which has another name for the same attribute.
    for number in 1...11 {
      let name = number == 1 ? "Notes" : "Notes \(number)"
      try Self.model(number).write(to: models.appending(path: "\(name).xcdatamodel"))
    }
    try makeCurrent("Notes 11.xcdatamodel")
  }

  private static func model(_ number: Int) throws -> ManagedObjectModel {
    var text = AttributeDescription(name: "text\(number)", type: .string)
    if number > 1 { text.originalNames = ["text\(number - 1)"] }
    let extra = AttributeDescription(name: "extra", type: .integer64)
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Note",
        properties: [.attribute(text)] + (number < 4 ? [.attribute(extra)] : []))
    ])
  }

  private static func textName(of model: ManagedObjectModel) -> String? {
    model.entities[0].properties.map(\.name).first { $0.hasPrefix("text") }
  }

  private func makeCurrent(_ name: String, in folder: URL? = nil) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
      """
    try Data(text.utf8).write(to: (folder ?? models).appending(path: ".xccurrentversion"))
  }

  private func store(of version: String) throws -> URL {
    let store = folder.file("\(version).sqlite")
    let model = try ManagedObjectModel(
      contentsOf: models.appending(path: "\(version).xcdatamodel"))
    let stack = try Stack(storeURL: store, model: model)
    let context = stack.rootSavingContext
    let name = try #require(Self.textName(of: model))
    try context.performAndWait {
      let note = try context.insertNewObject(forEntityName: "Note")
      try note.setValue("kept", forKey: name)
    }
    try context.saveAndWait(toPersistentStore: true)
    try stack.close()
    return store
  }

  @Test(arguments: ["Notes", "Notes 2", "Notes 5", "Notes 10", "Notes 11"])
  func `a store of any version keeps what was renamed in each`(_ version: String) throws {
    let store = try store(of: version)
    let plan = try MigrationPlan(
      versionsOf: models, discarding: ["Notes 4": ["Note.extra: Int"]])
    #expect(plan.versions.count == 10)
    var configuration = StackConfiguration()
    configuration.migration = .plan(plan)
    let stack = try Stack(
      storeURL: store, model: ManagedObjectModel(contentsOf: models), configuration: configuration)
    let context = stack.defaultContext
    let notes = try context.performAndWait {
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Note")).map {
        $0.value(forKey: "text11") as? String
      }
    }
    #expect(notes == ["kept"])
    try stack.close()
  }

  @Test func `versions behind the current one do not count`() throws {
    try makeCurrent("Notes 3.xcdatamodel")
    let plan = try MigrationPlan(versionsOf: models)
    #expect(plan.versions.map { Self.textName(of: $0.model) } == ["text1", "text2"])
  }

  @Test func `a step of no version is refused with the names that there are`() throws {
    let error = #expect(throws: CauldronError.self) {
      try MigrationPlan(versionsOf: models, steps: ["Note 2": []])
    }
    #expect(error?.message == "Notes.xcdatamodeld has no version \"Note 2\".")
    #expect(error?.hint.contains("Notes 10, Notes 11") == true)
  }

  @Test func `names with points are in the order of their numbers`() throws {
    let other = folder.file("Points.xcdatamodeld")
    for (place, name) in ["1.0.0", "1.2.0", "1.10.0"].enumerated() {
      try Self.model(place + 1).write(to: other.appending(path: "\(name).xcdatamodel"))
    }
    try makeCurrent("1.10.0.xcdatamodel", in: other)
    let plan = try MigrationPlan(versionsOf: other)
    #expect(plan.versions.map { Self.textName(of: $0.model) } == ["text1", "text2"])
    try plan.validate()
  }

  @Test func `versions that are copies are one, with the steps of all`() throws {
    let other = folder.file("Copies.xcdatamodeld")
    for (place, number) in [1, 1, 2, 1, 3].enumerated() {
      try Self.model(number).write(to: other.appending(path: "V\(place).xcdatamodel"))
    }
    try makeCurrent("V4.xcdatamodel", in: other)
    let steps = ["V1", "V3"].map { name in (name, [MigrationStep(name) { _ in }]) }
    let plan = try MigrationPlan(
      versionsOf: other, steps: Dictionary(uniqueKeysWithValues: steps))
    #expect(plan.versions.map { Self.textName(of: $0.model) } == ["text2", "text1"])
    #expect(plan.versions.map { $0.steps.map(\.name) } == [["V1"], ["V3"]])
    try plan.validate()
  }

  @Test func `losses of the current version and other files are refused`() throws {
    let losses = #expect(throws: CauldronError.self) {
      try MigrationPlan(versionsOf: models, discarding: ["Notes 11": ["Note.text10: String"]])
    }
    #expect(losses?.message.contains("Notes 11 is the current version") == true)
    let place = #expect(throws: CauldronError.self) {
      try MigrationPlan(versionsOf: folder.file("None.xcdatamodeld"))
    }
    #expect(place?.message.contains("it is no directory of versions.") == true)
  }

  @Test func `a loss between versions tells which version has to allow it`() throws {
    let store = try store(of: "Notes")
    var configuration = StackConfiguration()
    configuration.migration = .plan(try MigrationPlan(versionsOf: models))
    let error = #expect(throws: CauldronError.self) {
      try Stack(
        storeURL: store, model: ManagedObjectModel(contentsOf: models),
        configuration: configuration)
    }
    #expect(
      error?.hint.contains(
        "discarding: [\"Note.extra: Int\"] for the version that has it no more") == true)
  }
}
