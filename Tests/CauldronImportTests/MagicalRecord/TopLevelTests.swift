import Cauldron
import Foundation
import Logging
import Testing

/// Which object a record is.
@Suite struct TopLevelTests {
  private func desk() throws -> Desk {
    try Desk(
      Editor.entity(
        "Guest", Editor.attribute("guestID", .integer32), Editor.attribute("name"),
        Editor.attribute("age", .integer16)))
  }

  @Test func `an object with the key is found, or else created`() async throws {
    let desk = try desk()
    try await desk.load(#"[{"guestID": 1, "name": "Ann"}]"#, as: "Guest")
    let report = try await desk.load(
      #"[{"guestID": 1, "age": 3}, {"guestID": 2, "name": "Bob"}]"#, as: "Guest")
    #expect(report.description == "2 guests: 1 created, 1 updated")
    #expect(try await desk.rows("Guest", "guestID", "name", "age") == ["1 Ann 3", "2 Bob -"])
  }

  @Test(arguments: [#"{"name": "Bob"}"#, #"{"guestID": null, "name": "Bob"}"#])
  func `a record without key never takes an object without one`(record: String) async throws {
    let desk = try desk()
    try await desk.add(#"[{"name": "Ann"}]"#, as: "Guest")
    let report = try await desk.load("[\(record)]", as: "Guest")
    #expect(report.refused == 1 && report.problems.first?.code == .importMissingKey)
    #expect(try await desk.rows("Guest", "guestID", "name") == ["- Ann"])
  }

  @Test func `records without key do not collapse into one`() async throws {
    let desk = try desk()
    let report = try await desk.load(
      #"[{"name": "Ann"}, {"name": "Bob"}, {"guestID": 3, "name": "Cyd"}, {"name": "Dan"}]"#,
      as: "Guest")
    #expect(report.refused == 3 && report.created == 1)
    #expect(try await desk.rows("Guest", "name") == ["Cyd"])
  }

  @Test func `the key in a text finds the object with that number`() async throws {
    let desk = try desk()
    try await desk.load(#"[{"guestID": 42, "name": "Ann"}]"#, as: "Guest")
    let report = try await desk.load(#"[{"guestID": "42", "name": "Bob"}]"#, as: "Guest")
    #expect(report.updated == 1)
    #expect(try await desk.rows("Guest", "guestID", "name") == ["42 Bob"])
    let strict = try await desk.load(#"[{"guestID": "42"}]"#, as: "Guest", mode: .strict)
    #expect(
      strict.complaints == [
        #"/0/guestID: "42" is not a number, but a text that lenient imports read as one"#
      ])
  }

  @Test func `imports at once make one object of a key that nothing keeps unique`() async throws {
    let desk = try desk()
    let json = "[" + (0..<50).map { #"{"guestID": \#($0)}"# }.joined(separator: ", ") + "]"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await desk.load(json, as: "Guest") } }
      try await group.waitForAll()
    }
    #expect(try await desk.rows("Guest").count == 50)
  }

  @Test func `a text or a number is no record`() async throws {
    let desk = try desk()
    try await desk.add(#"[{"name": "Ann"}]"#, as: "Guest")
    let report = try await desk.load(#"["Bob", 7, null, []]"#, as: "Guest")
    #expect(
      report.complaints == [
        #"/0: "Bob" is not an object"#, "/1: 7 is not an object", "/2: null is not an object",
        "/3: an array is not an object",
      ])
    #expect(try await desk.rows("Guest", "name") == ["Ann"])
  }

  @Test func `an entity without key inserts, and one warning tells that`() async throws {
    let lines = Locked<[String]>([])
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "import") { _ in WarningLog(lines: lines) }
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [
        Editor.entity("Line", Editor.attribute("text"))
      ]), configuration: configuration)
    let data = Data(#"[{"text": "a"}, {"text": "a"}]"#.utf8)
    let report = try await stack.importJSON(data, asEntityNamed: "Line")
    #expect(report.created == 2)
    #expect(lines.withLock { $0 } == report.warnings && report.warnings.count == 1)
    #expect(report.warnings.first?.hasPrefix("Line has no key: each record is a new Line") == true)
  }

  @Test func `Swift values are imported in their order, into a context that saves later`()
    async throws
  {
    let desk = try Desk(Machine.described(), Gear.described())
    let context = ManagedObjectContext.contextWithParent(desk.stack.rootSavingContext)
    try await context.perform { context in
      let records: [Any] = [["gearID": 2], ["gearID": 1], ["gearID": 2, "teeth": 9]]
      let gears = try Gear.importFrom(records, in: context, options: .init(mode: .lenient))
      #expect(gears.map(\.gearID) == [2, 1, 2])
      #expect(gears[0] === gears[2] && gears[0].teeth == 9 && gears[0].isInserted)
      #expect(try Gear.importFrom([Any](), in: context) == [])
    }
    #expect(try await desk.rows("Gear") == [])
  }

  @Test func `an object of the program's own is no record`() async throws {
    struct Model { let gearID = 1 }
    let desk = try Desk(Machine.described(), Gear.described())
    let context = ManagedObjectContext.contextWithParent(desk.stack.rootSavingContext)
    let complaints = Locked<[String]>([])
    try await context.perform { context in
      let gears = try Gear.importFrom([Model()] as [Any], in: context) { report in
        complaints.withLock { $0 = report.complaints }
      }
      #expect(gears.isEmpty)
    }
    #expect(complaints.withLock { $0 } == ["/0: a Model has no form in a record"])
  }
}

/// Keeps what is logged as a warning, or worse.
private struct WarningLog: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
