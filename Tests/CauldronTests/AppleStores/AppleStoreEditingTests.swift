import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Stores that Core Data wrote are read completely and edited, and what nobody edited stays as it was.
@Suite(
  .againstHanging,
  .enabled(if: AppleFixture.areThere, Fixtures.skip("Moody, CoreDataPlus and Recipes")))
struct AppleStoreEditingTests {
  @Test(arguments: AppleFixture.all)
  func `it is read, edited, and whole afterwards`(_ fixture: AppleFixture) throws {
    let folder = try TemporaryDirectory()
    let url = try fixture.copy(to: folder)
    let model = try fixture.model()
    let before = try AppleRows(url)
    let stack = try Stack(storeURL: url, model: model)
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let objects = try context.all(of: model)
    try before.check(objects, model)
    let (edited, touched) = try edit(objects)
    try context.saveAndWait(toPersistentStore: true)
    try stack.close()
    let after = try AppleRows(url)
    #expect(after.integrity == ["ok"])
    for (row, cells) in before.rows where !edited.contains(row) {
      var cells = cells
      if touched.contains(row), let version = cells["Z_OPT"].flatMap({ Int($0) }) {
        cells["Z_OPT"] = "\(version + 1)"
      }
      #expect(after.rows[row] == cells, "\(row) was not edited")
    }
    for row in edited { #expect(after.rows[row] != before.rows[row], "\(row) was edited") }
    let again = try Stack(storeURL: url, model: model)
    let reader = ManagedObjectContext(.private, parent: again.rootSavingContext)
    try after.check(try reader.all(of: model), model)
    try again.close()
  }

  @Test(arguments: AppleFixture.all)
  func `what was archived are bytes, and bytes are written as they are`(
    _ fixture: AppleFixture
  ) throws {
    let folder = try TemporaryDirectory()
    let url = try fixture.copy(to: folder)
    let model = try fixture.model()
    let stack = try Stack(storeURL: url, model: model)
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let rows = try AppleRows(url)
    let bytes = Data("not a JSON text".utf8)
    var written: [(row: String, property: String)] = []
    for object in try context.all(of: model) {
      for property in object.entity.properties where property.isArchived {
        guard let data = object.value(forKey: property.name) as? Data else { continue }
        #expect(rows.cell(object, property.name) == AppleRows.literal(data))
        guard !written.contains(where: { $0.property == property.name }) else { continue }
        try object.setValue(bytes, forKey: property.name)
        written.append((AppleRows.name(object), property.name))
      }
    }
    if fixture.store.hasPrefix("Recipes") { #expect(written.count == 2) }
    try context.saveAndWait(toPersistentStore: true)
    try stack.close()
    let after = try AppleRows(url)
    for (row, property) in written {
      #expect(after.rows[row]?["Z\(property.uppercased())"] == AppleRows.literal(bytes))
    }
  }

  /// Changes a value of one object of each entity, and deletes another one.
  /// - Returns: The rows that differ afterwards, and those of which the deleted object was a member.
  private func edit(
    _ objects: [ManagedObject]
  ) throws -> (edited: Set<String>, touched: Set<String>) {
    var edited: Set<String> = []
    var touched: Set<String> = []
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
        for case .relationship(let property) in all[1].entity.properties where !property.isToMany {
          guard let owner = all[1].value(forKey: property.name) as? ManagedObject else { continue }
          touched.insert(AppleRows.name(owner))
        }
        all[1].delete()
      }
    }
    return (edited, touched)
  }

  private static func other(_ attribute: AttributeDescription) -> Any? {
    switch attribute.type {
    case .string: "edited here"
    case .integer16: Int16(77)
    case .integer32: Int32(77)
    case .integer64: 77
    case .double: 0.77
    case .date: Date(timeIntervalSinceReferenceDate: 77)
    case .transformable: Data("edited here".utf8)
    default: nil
    }
  }
}

extension ManagedObjectContext {
  /// The objects of all entities, read.
  func all(of model: ManagedObjectModel) throws -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for entity in model.entities where entity.superentity == nil {
      objects += try fetch(FetchRequest(entityName: entity.name))
    }
    for object in objects { try object.load() }
    return objects
  }
}

extension PropertyDescription {
  /// Whether Core Data keeps the value as an archive.
  fileprivate var isArchived: Bool {
    guard case .attribute(let attribute) = self else { return false }
    return attribute.type == .transformable && !attribute.isTransient
  }
}
