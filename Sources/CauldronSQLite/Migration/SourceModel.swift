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
    let schema = try plan.numbered(by: EntityNumbers(connection)).planned
    var entities: [EntityDescription] = []
    for layout in model.entityLayouts where metadata.versionHashes[layout.name] != nil {
      let table = schema.table(of: layout)
      let found = try SchemaCheck(connection: connection, planned: schema).columns(of: table)
        .map(\.name)
      var entity = layout.description
      entity.properties = try entity.properties.filter { description in
        guard let index = layout.index(of: description.name) else { return false }
        return try isThere(layout.properties[index], in: layout, schema: schema, found: found)
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
    _ property: PropertyLayout, in layout: EntityLayout, schema: StoreSchema, found: [String]
  ) throws -> Bool {
    if let destination = property.destination?.entity,
      metadata.versionHashes[destination.name] == nil
    {
      return false
    }
    if let join = property.join {
      let check = SchemaCheck(connection: connection, planned: schema)
      return try !check.columns(of: schema.table(of: join.entity)).isEmpty
    }
    if property.kind == .toMany, let destination = property.destination {
      let inverse = destination.entity.properties[destination.inverse]
      let table = schema.table(of: destination.entity)
      let columns = try SchemaCheck(connection: connection, planned: schema).columns(of: table)
      return try isThere(
        inverse, in: destination.entity, schema: schema, found: columns.map(\.name))
    }
    guard property.hasColumn, let position = schema.map(of: layout).properties[property.index]
    else { return true }
    let column = schema.table(of: layout).columns[position]
    return SchemaCheck.find(column, among: found) != nil
  }
}
