import CauldronModel
import Foundation

/// Finds the model that wrote a store.
struct SourceModel {
  let connection: Connection
  let metadata: StoreMetadata
  /// The model that the store is opened with.
  let model: ManagedObjectModel

  /// The model, whose hashes are the store's; nil where it cannot be told.
  func find() throws -> ManagedObjectModel? {
    try ModelCopy(connection: connection).read(metadata) ?? lacking()
  }

  /// The present model less what the tables lack, for stores without a copy.
  private func lacking() throws -> ManagedObjectModel? {
    let plan = SchemaCheck(connection: connection, planned: try StoreSchema(model: model))
    let check = try plan.numbered(by: EntityNumbers(connection))
    var columns = FileColumns(check)
    var entities: [EntityDescription] = []
    for layout in model.entityLayouts where metadata.versionHashes[layout.name] != nil {
      var entity = layout.description
      entity.properties = try entity.properties.filter { description in
        guard let index = layout.index(of: description.name) else { return false }
        return try isThere(layout.properties[index], in: layout, among: &columns)
      }
      entity.uniquenessConstraints = try entity.uniquenessConstraints.filter {
        try connection.integer(
          "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name = "
            + SQLIdentifier.literal("Z_\(layout.name)_UNIQUE_\($0.joined(separator: "_"))")) != 0
      }
      entities.append(entity)
    }
    let found = try? ManagedObjectModel(entities: entities, name: model.name)
    return found.flatMap { metadata.differences(from: $0).isEmpty ? $0 : nil }
  }

  private func isThere(
    _ property: PropertyLayout, in layout: EntityLayout, among columns: inout FileColumns
  ) throws -> Bool {
    if let destination = property.destination?.entity,
      metadata.versionHashes[destination.name] == nil
    {
      return false
    }
    if let join = property.join {
      return try !columns.isMissing(columns.schema.table(of: join.entity))
    }
    if property.kind == .toMany, let destination = property.destination {
      let inverse = destination.entity.properties[destination.inverse]
      return try isThere(inverse, in: destination.entity, among: &columns)
    }
    guard property.hasColumn,
      let position = columns.schema.map(of: layout).properties[property.index]
    else { return true }
    let table = columns.schema.table(of: layout)
    return try columns.names(of: table).name(of: table.columns[position]) != nil
  }
}

/// The columns of a file's tables, each table of which is read once.
private struct FileColumns {
  private let check: SchemaCheck
  private var known: [Int32: ColumnNames] = [:]

  init(_ check: SchemaCheck) { self.check = check }

  var schema: StoreSchema { check.planned }

  mutating func names(of table: TableSchema) throws -> ColumnNames {
    if let names = known[table.rootNumber] { return names }
    let names = ColumnNames(try check.columns(of: table).map(\.name))
    known[table.rootNumber] = names
    return names
  }

  mutating func isMissing(_ table: TableSchema) throws -> Bool { try names(of: table).isEmpty }
}
