package import CauldronModel

/// Where a row lies while its store is being migrated.
package struct MigrationPlace {
  /// The row's own entity.
  package let entity: EntityLayout
  package let key: Int64
  /// Whether the entity is one of the store that the model has no more.
  package let isGone: Bool

  package init(_ entity: EntityLayout, _ key: Int64, isGone: Bool = false) {
    self.entity = entity
    self.key = key
    self.isGone = isGone
  }

  package var id: MigrationID { MigrationID(entity: entity.name, key: key, isGone: isGone) }
}

/// Some rows of one table.
package struct MigrationRows {
  /// The entities that the rows are of; all lie in one table.
  package var entities: [EntityLayout]
  /// Whether these are entities of the store that the model has no more.
  package let isGone: Bool

  package init(_ entities: [EntityLayout], isGone: Bool) {
    self.entities = entities
    self.isGone = isGone
  }
}

/// A property on the side that has its values.
package struct MigrationProperty {
  package let property: PropertyLayout
  package let entity: EntityLayout
  /// Whether it is one of the store, of whose values the model has nothing.
  package let isOld: Bool

  package init(_ property: PropertyLayout, _ entity: EntityLayout, isOld: Bool) {
    self.property = property
    self.entity = entity
    self.isOld = isOld
  }
}

/// The tables of a store between what a migration adds and what it takes away, for its steps.
///
/// What is called new has the entities and properties of the model.
package protocol MigrationTables: AnyObject {
  /// The greatest key of some rows; 0 where there is none.
  func lastKey(of rows: MigrationRows) throws -> Int64
  /// The first rows in the order of their keys, within bounds.
  func page(
    of rows: MigrationRows, after key: Int64, through last: Int64, limit: Int
  ) throws -> [MigrationPlace]
  func count(of rows: MigrationRows) throws -> Int
  /// Whether a row is there.
  func has(_ place: MigrationPlace) throws -> Bool
  /// The value of an attribute in the row with a key.
  func value(_ property: MigrationProperty, key: Int64) throws -> AttributeScalar
  /// Where a relationship of the row with a key leads to, in order.
  func links(_ property: MigrationProperty, key: Int64) throws -> [MigrationPlace]
  /// The new row with the least key that has a value.
  func first(
    _ property: PropertyLayout, of entity: EntityLayout, equals value: AttributeScalar
  ) throws -> MigrationPlace?
  /// A key for a new row.
  func key(for entity: EntityLayout) throws -> Int64
  /// Inserts a new row: the values that are given, and the defaults.
  func insert(_ place: MigrationPlace, _ values: [Int: AttributeScalar]) throws
  /// Changes values, by the indices of the properties.
  func update(_ place: MigrationPlace, _ values: [Int: AttributeScalar]) throws
  /// Deletes a new row, clears the references to it and takes out its links.
  func delete(_ place: MigrationPlace) throws
  /// Leads a relationship to an object, too; one to one only to it, or to nothing.
  func link(_ place: MigrationPlace, _ property: PropertyLayout, to other: MigrationPlace?) throws
  func unlink(
    _ place: MigrationPlace, _ property: PropertyLayout, from other: MigrationPlace
  ) throws
  /// Is called again and again, with the number of rows that were passed since.
  func pass(_ rows: Int) throws
}
