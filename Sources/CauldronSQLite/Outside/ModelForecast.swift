package import CauldronModel
package import CauldronStore

/// Says what two models alone tell of a migration from one to the other: no store is asked.
///
/// Values may forbid more: those that are missing, out of range, or twice where they become unique.
package struct ModelForecast {
  private let mapping: ModelMapping
  /// What has become of entities and properties, with what is lost.
  package let changes: [ModelChange]

  /// - Parameters:
  ///   - source: The model that a store has.
  ///   - destination: The model that it is to have.
  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    mapping = ModelMapping(source: source, destination: destination)
    changes = mapping.changes
  }

  /// What would be refused whatever the store holds, but for losses, which have to be allowed.
  /// - Throws: `model.invalid` where a model has no tables.
  package func problems() throws -> [CauldronError] {
    let source = try StoreSchema(model: mapping.source)
    let destination = try StoreSchema(model: mapping.destination)
    let doubled = destination.tables.filter { !$0.isJoin }.compactMap { table -> CauldronError? in
      let migration = TableMigration(
        mapping: mapping, source: source, destination: destination, table: table)
      let tables = migration.tables
      return tables.count > 1
        ? MigrationProblems.twoTables(of: migration.family, tables: tables) : nil
    }
    return MigrationProblems(mapping: mapping).found + doubled
  }

  /// The properties that go on, each with what it was.
  package var pairs:
    [(entity: EntityDescription, old: PropertyDescription, new: PropertyDescription)]
  {
    mapping.destination.entityLayouts.flatMap { layout in
      layout.ownProperties.filter { !$0.isHidden }.compactMap { property in
        mapping.source(of: property, in: layout).map {
          (layout.description, $0.description, property.description)
        }
      }
    }
  }

  /// The entities that go on, each with what it was.
  package var entities: [(old: EntityDescription, new: EntityDescription)] {
    mapping.destination.entityLayouts.compactMap { layout in
      mapping.source(of: layout).map { ($0.description, layout.description) }
    }
  }
}
