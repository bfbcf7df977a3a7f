import CauldronModel

extension Connection {
  /// Writes a row for each entity of a model into `Z_PRIMARYKEY`.
  /// - Parameter last: The last key of a root entity's table; subentities have 0.
  func insertEntities(
    of model: ManagedObjectModel, last: (EntityLayout) -> Int64
  ) throws {
    let insert = try Statement(
      handle, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?,?,?,?)")
    for layout in model.entityLayouts {
      try insert.bind([
        .integer(Int64(layout.number)), .text(Array(layout.name.utf8)),
        .integer(Int64(layout.superentity?.number ?? 0)),
        .integer(layout.superentity == nil ? last(layout) : 0),
      ])
      try insert.run()
    }
  }
}
