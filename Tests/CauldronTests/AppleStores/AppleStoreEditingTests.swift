import CSQLite
import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Stores that Core Data wrote are read completely and edited, and what nobody edited stays as it was.
@Suite(.againstHanging) struct AppleStoreEditingTests {
  /// A store, and the source of the model that wrote it.
  struct Fixture: Sendable, CustomTestStringConvertible {
    let store: String
    let model: String

    var testDescription: String { store }

    static let all =
      ["", " 2", " 3", " 4", " 5"].map {
        Fixture(
          store: "Moody/Moody\($0).moody",
          model: "Moody/Moody.xcdatamodeld/Moody\($0).xcdatamodel/contents")
      } + [
        Fixture(
          store: "CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite",
          model:
            "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel/contents"),
        Fixture(
          store: "CoreDataPlus/SampleModel/Fixtures/SampleModel_V2.sqlite",
          model:
            "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel/contents"
        ),
        Fixture(
          store: "CoreDataPlus/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
          model:
            "CoreDataPlus/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel/contents"),
      ]
  }

  @Test(.enabled(if: Fixtures.exists("Moody"), Fixtures.skip("Moody")), arguments: Fixture.all)
  func `it is read, edited, and whole afterwards`(_ fixture: Fixture) throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(fixture.store)), to: url)
    let model = try ManagedObjectModel(
      entities: ModelContents(Data(contentsOf: #require(Fixtures.url(fixture.model)))).entities)
    let before = try AppleRows(url)
    let stack = try Stack(storeURL: url, model: model)
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let objects = try read(model, context)
    #expect(objects.count == before.count)
    let edited = try edit(objects)
    try context.saveAndWait(toPersistentStore: true)
    try stack.close()
    let after = try AppleRows(url)
    #expect(after.integrity == ["ok"])
    for (row, cells) in before.rows where !edited.contains(row) {
      #expect(after.rows[row] == cells, "\(row) was not edited")
    }
    for row in edited { #expect(after.rows[row] != before.rows[row], "\(row) was edited") }
    let again = try Stack(storeURL: url, model: model)
    let reader = ManagedObjectContext(.private, parent: again.rootSavingContext)
    #expect(try read(model, reader).count == after.count)
    try again.close()
  }

  /// Every object of the store, all its values and relationships read.
  private func read(
    _ model: ManagedObjectModel, _ context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for entity in model.entities where entity.superentity == nil {
      objects += try context.fetch(FetchRequest(entityName: entity.name))
    }
    for object in objects {
      try object.load()
      for property in object.entity.properties { _ = object.value(forKey: property.name) }
    }
    return objects
  }

  /// Changes a value of one object of each entity, and deletes another one.
  /// - Returns: The rows that differ afterwards.
  private func edit(_ objects: [ManagedObject]) throws -> Set<String> {
    var edited: Set<String> = []
    for (name, all) in Dictionary(grouping: objects, by: { $0.entity.name }) {
      let constrained = Set(all[0].entity.uniquenessConstraints.flatMap { $0 })
      for case .attribute(let attribute) in all[0].entity.properties
      where !attribute.isTransient && !constrained.contains(attribute.name) {
        guard let value = Self.other(attribute) else { continue }
        try all[0].setValue(value, forKey: attribute.name)
        edited.insert(AppleRows.name(all[0]))
        break
      }
      if all.count > 1, name == "Mood" {
        edited.insert(AppleRows.name(all[1]))
        all[1].delete()
      }
    }
    return edited
  }

  private static func other(_ attribute: AttributeDescription) -> Any? {
    switch attribute.type {
    case .string: "edited here"
    case .integer16: Int16(77)
    case .integer32: Int32(77)
    case .integer64: 77
    case .double: 0.77
    case .date: Date(timeIntervalSinceReferenceDate: 77)
    default: nil
    }
  }
}

/// The rows of a store's entities as SQLite shows them.
private struct AppleRows {
  /// The cells of each row, by the number of its entity and its key.
  private(set) var rows: [String: [String]] = [:]
  let integrity: [String]

  var count: Int { rows.count }

  static func name(_ object: ManagedObject) -> String {
    "\(object.objectID.entityNumber) \(object.objectID.key)"
  }

  init(_ url: URL) throws {
    let database = try Database(url)
    integrity = database.rows("PRAGMA integrity_check").map { $0[0] }
    let tables = database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'"
        + " AND name NOT LIKE 'Z\\_%' ESCAPE '\\'")
    for table in tables {
      let columns = database.rows("SELECT name FROM pragma_table_info('\(table[0])')").map { $0[0] }
      let cells = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      for row in database.rows("SELECT Z_ENT, Z_PK, \(cells) FROM \"\(table[0])\"") {
        rows["\(row[0]) \(row[1])"] = row
      }
    }
  }
}

/// A connection that reads.
private final class Database {
  private var handle: OpaquePointer?

  init(_ url: URL) throws {
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown)
    }
  }

  deinit { sqlite3_close_v2(handle) }

  func rows(_ sql: String) -> [[String]] {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        })
    }
    return rows
  }
}
