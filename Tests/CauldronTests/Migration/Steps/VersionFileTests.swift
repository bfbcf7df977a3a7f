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

  private func makeCurrent(_ name: String) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
      """
    try Data(text.utf8).write(to: models.appending(path: ".xccurrentversion"))
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
}
