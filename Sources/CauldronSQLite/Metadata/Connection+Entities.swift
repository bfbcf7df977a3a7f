import CauldronModel

extension Connection {
  /// Writes a row for each entity of a schema's model into `Z_PRIMARYKEY`.
  /// - Parameter last: The last key of a root entity's table; subentities have 0.
  func insertEntities(
    of schema: StoreSchema, last: (EntityLayout) -> Int64
  ) throws {
    let insert = try Statement(
      handle, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?,?,?,?)")
    for layout in schema.model.entityLayouts {
      try insert.bind([
        .integer(Int64(schema.number(of: layout))), .text(Array(layout.name.utf8)),
        .integer(layout.superentity.map { Int64(schema.number(of: $0)) } ?? 0),
        .integer(layout.superentity == nil ? last(layout) : 0),
      ])
      try insert.run()
    }
  }
}
