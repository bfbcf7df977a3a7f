import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// What a migration would do is told before, by reading alone.
@Suite(.againstHanging) struct MigrationForecastTests {
  private static let person = EntityDescription.entity(
    "Person", .text("name"), .text("fax"), .number("age"), .one("employer", "Company", "staff"))
  private static let company = EntityDescription.entity(
    "Company", .text("name"), .many("staff", "Person", "employer"))

  /// Five people, of whom three have a fax, and a company.
  private func filled() throws -> DayTwo {
    let store = try DayTwo()
    try store.open([Self.person, Self.company]) { context in
      let acme = try context.insertNewObject(forEntityName: "Company")
      for number in 0..<5 {
        let jack = try context.insertNewObject(forEntityName: "Person")
        if number < 3 { try jack.setValue("f\(number)", forKey: "fax") }
        try jack.setValue(number * 20_000, forKey: "age")
        try jack.setValue(acme, forKey: "employer")
      }
    }
    return store
  }

  private func forecast(
    _ store: DayTwo, _ entities: [EntityDescription],
    _ change: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> MigrationForecast {
    var configuration = StackConfiguration()
    change(&configuration)
    return try Stack.migrationForecast(
      storeURL: store.url, model: ManagedObjectModel(entities: entities),
      configuration: configuration)
  }

  /// Everything in the store's directory.
  private func traces(_ store: DayTwo) throws -> [String: Data] {
    let folder = store.url.deletingLastPathComponent()
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      found[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return found
  }

  @Test func `what comes costs nothing, and the file and its folder stay as they are`() throws {
    let store = try filled()
    let before = try traces(store)
    var more = Self.person
    more.properties.append(.number("rank", isOptional: false, default: 7))
    let forecast = try forecast(store, [more, Self.company])
    #expect(forecast.isNeeded && forecast.isPossible)
    #expect(forecast.changes == ["Person + rank"])
    #expect(forecast.rows == 5)
    #expect(forecast.bytes > 0)
    #expect(forecast.losses.isEmpty)
    #expect(
      forecast.description.hasPrefix(
        "people.sqlite will be migrated: Person + rank. At most 5 rows are written, about "),
      "\(forecast)")
    #expect(forecast.description.hasSuffix(" Nothing is lost."), "\(forecast)")
    #expect(try traces(store) == before)
  }

  @Test func `losses are counted, and opening would say the same`() throws {
    let store = try filled()
    let alone = EntityDescription.entity(
      "Person", discards: ["fax: String"], .text("name"), .number("age", .integer16))
    let forecast = try forecast(store, [alone])
    #expect(
      forecast.losses == [
        .init(name: "Company", count: 1, isAllowed: false),
        .init(name: "Person.employer: Company", count: 5, isAllowed: false),
        .init(name: "Person.fax: String", count: 3, isAllowed: true),
      ])
    #expect(
      forecast.problems.map(\.code)
        == [.migrationWouldDiscard, .migrationWouldDiscard, .migrationOutOfRange])
    #expect(!forecast.isPossible)
    #expect(
      forecast.description.contains(
        "3 values of Person.fax: String would be lost, which the code gives up."), "\(forecast)")
    #expect(
      forecast.description.hasPrefix("people.sqlite cannot be migrated as it stands: "),
      "\(forecast)")
    #expect(!forecast.description.contains(" will "), "\(forecast)")
    #expect(store.refusal([alone])?.details.map(\.message) == forecast.problems.map(\.message))
  }

  @Test func `what needs nothing, and what cannot be opened, says so`() throws {
    let store = try filled()
    let models = [Self.person, Self.company]
    #expect(try forecast(store, models).description == "people.sqlite needs no migration.")
    #expect(try !forecast(DayTwo(), models).isNeeded)
    let alone = [EntityDescription.entity("Animal", .text("name"))]
    let never = try forecast(store, alone) { $0.migration = .never }
    #expect(never.problems.map(\.code) == [.storeIncompatibleModel])
    let readOnly = try forecast(store, models + alone) { $0.readOnly = true }
    #expect(readOnly.problems.map(\.code) == [.migrationReadOnly])
    try Data("no database at all, but long enough".utf8).write(to: store.url)
    #expect(try forecast(store, models).problems.map(\.code) == [.storeNotADatabase])
  }

  @Test func `a store that is in use is read with its log`() throws {
    let store = try filled()
    try store.open([Self.person, Self.company]) { context in
      let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
      for jack in all { try jack.setValue("fax", forKey: "fax") }
      try context.saveAndWait(toPersistentStore: true)
      let less = EntityDescription.entity(
        "Person", .text("name"), .number("age"), .one("employer", "Company", "staff"))
      let losses = try forecast(store, [less, Self.company]).losses
      #expect(losses.map(\.count) == [5])
    }
  }

  @Test func `a disk that is too full is found before anything is written`() throws {
    let store = try filled()
    let before = try traces(store)
    var more = Self.person
    more.properties.append(.number("rank", isOptional: false, default: 7))
    let full = try forecast(store, [more, Self.company]) { $0.freeSpace = 1000 }
    #expect(full.problems.map(\.code) == [.migrationNoSpace])
    var configuration = StackConfiguration()
    configuration.logger = store.log.logger
    configuration.freeSpace = 1000
    let error = #expect(throws: CauldronError.self) {
      try Stack(
        storeURL: store.url, model: ManagedObjectModel(entities: [more, Self.company]),
        configuration: configuration)
    }
    #expect(error?.code == .migrationNoSpace)
    #expect(error?.message.hasSuffix("and 1 MB are free.") == true, "\(String(describing: error))")
    #expect(try traces(store)["people.sqlite"] == before["people.sqlite"])
    // What changes no row takes no room.
    more.properties.removeLast()
    more.properties.append(.number("rank"))
    configuration.freeSpace = 100_000_000
    try Stack(
      storeURL: store.url, model: ManagedObjectModel(entities: [more, Self.company]),
      configuration: configuration
    ).close()
  }

  @Test func `a file that may not be written is refused as such`() throws {
    let store = try filled()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.url.path)
    // Who is root may write everything.
    guard geteuid() != 0 else { return }
    var more = Self.person
    more.properties.append(.number("rank"))
    #expect(store.refusal([more, Self.company])?.code == .migrationReadOnly)
  }
}
