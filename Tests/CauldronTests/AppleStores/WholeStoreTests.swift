import Cauldron
import Foundation
import TestSupport
import Testing

/// Stores that Core Data wrote, used by a program that knows no class of theirs.
struct ForeignStore: Sendable, CustomTestStringConvertible {
  let path: String
  let isReadOnly: Bool

  var testDescription: String { path }

  private init(_ path: String, isReadOnly: Bool = false) {
    (self.path, self.isReadOnly) = (path, isReadOnly)
  }

  static let areThere = Fixtures.exists("Moody") && Fixtures.exists("Bookmarks")

  static let all: [ForeignStore] =
    (1...5).map { ForeignStore("Bookmarks/Bookmarks_V\($0).sqlite") }
    + ["", " 2", " 3", " 4", " 5"].map { ForeignStore("Moody/Moody\($0).moody") }
    + (1...2).map { ForeignStore("CoreDataPlus/SampleModel/Fixtures/SampleModel_V\($0).sqlite") }
    + (1...2).map {
      ForeignStore(
        "CoreDataPlus/SampleModel2/Fixtures/SampleModel2_V\($0).sqlite", isReadOnly: true)
    } + [
      ForeignStore("CoreDataPlus/SampleModel3/Fixtures/SampleModel3_V1.sqlite"),
      ForeignStore("CareKit/SampleStore2.0.sqlite"), ForeignStore("LoopKit/Model.v1.sqlite"),
    ]

  /// A copy in a folder, with its log.
  func copy(to folder: TemporaryDirectory) throws -> URL {
    let source = try #require(Fixtures.url(path))
    let url = folder.file("store.sqlite")
    for ending in ["", "-wal"] {
      let file = URL(fileURLWithPath: source.path + ending)
      if FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.copyItem(at: file, to: URL(fileURLWithPath: url.path + ending))
      }
    }
    return url
  }
}

@Suite(
  .againstHanging, .ownThread,
  .enabled(
    if: ForeignStore.areThere, "needs the stores of fixtures, which are not part of this repository"
  ))
struct WholeStoreTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: ForeignStore.all)
  func `every value is read, each entity edited, and nothing else differs afterwards`(
    _ store: ForeignStore
  ) throws {
    let url = try store.copy(to: directory)
    let before = try StoreContents(url)
    let model = try ManagedObjectModel(contentsOf: url)
    var configuration = StackConfiguration()
    configuration.readOnly = store.isReadOnly
    // Each of some hundred saves would wait for the disk.
    configuration.synchronous = .normal
    let stack = try Stack(storeURL: url, model: model, configuration: configuration)
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    try context.performAndWait { _ in
      for entity in model.entities { try readAll(entity, of: model, in: context) }
      guard !store.isReadOnly else { return }
      for entity in model.entities where !entity.isAbstract {
        try edit(entity, of: model, in: context)
        try insertAndDelete(entity, of: model, in: context)
      }
    }
    #expect(try stack.coordinator.store.verify().map(\.message) == [])
    try stack.close()
    #expect(try StoreContents(url).difference(from: before) == [])
  }

  private func objects(
    _ entity: EntityDescription, in context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
  }

  private func readAll(
    _ entity: EntityDescription, of model: ManagedObjectModel, in context: ManagedObjectContext
  ) throws {
    for object in try objects(entity, in: context) {
      for property in model.properties(ofEntityNamed: object.entity.name) {
        _ = object.value(forKey: property.name)
      }
    }
  }

  /// Changes a text of one object, and changes it back.
  private func edit(
    _ entity: EntityDescription, of model: ManagedObjectModel, in context: ManagedObjectContext
  ) throws {
    let texts = model.properties(ofEntityNamed: entity.name).compactMap { property -> String? in
      guard case .attribute(let attribute) = property, attribute.type == .string,
        !attribute.isTransient, attribute.derivation == nil
      else { return nil }
      return attribute.name
    }
    guard let name = texts.first, let object = try objects(entity, in: context).first else {
      return
    }
    let old = object.value(forKey: name)
    try object.setValue("edited", forKey: name)
    try context.saveAndWait(toPersistentStore: true)
    try object.setValue(old, forKey: name)
    try context.saveAndWait(toPersistentStore: true)
  }

  /// Makes an object with all that is required, and deletes it.
  private func insertAndDelete(
    _ entity: EntityDescription, of model: ManagedObjectModel, in context: ManagedObjectContext
  ) throws {
    let object = try context.insertNewObject(forEntityName: entity.name)
    for property in model.properties(ofEntityNamed: entity.name) {
      switch property {
      case .attribute(let attribute):
        guard !attribute.isOptional, !attribute.isTransient, attribute.derivation == nil,
          object.value(forKey: attribute.name) == nil
        else { continue }
        try object.setValue(Self.value(of: attribute.type), forKey: attribute.name)
      case .relationship(let relationship):
        guard !relationship.isOptional else { continue }
        let end = try context.fetch(
          FetchRequest<ManagedObject>(entityName: relationship.destination)
        ).first
        // Another object would lose what leads back to one.
        guard let end, !relationship.isToMany, relationship.deleteRule != .deny else {
          object.delete()
          return
        }
        try object.setValue(end, forKey: relationship.name)
      }
    }
    do {
      try context.saveAndWait(toPersistentStore: true)
    } catch let error as CauldronError where error.code.rawValue.hasPrefix("validation") {
      context.rollback()
      return
    }
    object.delete()
    try context.saveAndWait(toPersistentStore: true)
  }

  private static func value(of type: AttributeType) -> Any? {
    switch type {
    case .string: "text \(UUID())"
    case .integer16, .integer32, .integer64: 1
    case .double, .float: 1.5
    case .decimal: Decimal(1)
    case .boolean: true
    case .date: Date(timeIntervalSinceReferenceDate: 0)
    case .binary: Data([1])
    case .transformable: ["value"]
    case .composite, .undefined: nil
    case .uuid: UUID()
    case .uri: URL(string: "https://example.org/\(UUID())")
    }
  }
}

/// All cells of a store, but versions of rows and the last keys.
private struct StoreContents {
  private var rows: [String: Set<[String]>] = [:]

  init(_ url: URL) throws {
    let other = OtherConnection(url)
    for table in other.texts("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let columns = other.texts("SELECT name FROM pragma_table_info('\(table)')")
        .filter { !["Z_OPT", "Z_MAX"].contains($0) }
      let cells = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      rows[table] = Set(
        other.rows("SELECT \(cells) FROM \"\(table)\"").map { $0.map { $0 ?? "" } })
    }
  }

  /// The rows that only one of two has.
  func difference(from other: StoreContents) -> [String] {
    Set(rows.keys).union(other.rows.keys).sorted().flatMap { table in
      let (new, old) = (rows[table] ?? [], other.rows[table] ?? [])
      return new.subtracting(old).map { "+ \(table) \($0)" }
        + old.subtracting(new).map { "- \(table) \($0)" }
    }
  }
}
