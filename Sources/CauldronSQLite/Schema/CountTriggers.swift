import CauldronModel

/// The triggers that keep the number of a to-many relationship's objects in a column, exactly as Core
/// Data writes them; those that have been seen count the rows of another table for a root entity.
struct CountTriggers {
  let entity: String
  let attribute: String
  /// The table with the column, and the one whose rows are counted.
  private let source: String
  private let counted: String
  /// The column of the number, and that of the reference whose rows are counted.
  private let column: String
  private let reference: String

  typealias Trigger = DerivedTriggers.Trigger

  /// Nil for what is derived otherwise, or not at all.
  init?(_ property: PropertyLayout, of layout: EntityLayout, in schema: StoreSchema) {
    guard let index = property.counted,
      let destination = layout.properties[index].destination
    else { return nil }
    let inverse = destination.entity.properties[destination.inverse]
    guard layout.superentity == nil, destination.entity.rootNumber != layout.rootNumber,
      inverse.kind == .toOne
    else { return nil }
    entity = layout.name
    attribute = property.name
    source = schema.table(of: layout).name
    counted = schema.table(of: destination.entity).name
    column = schema.sqlName(property, of: layout)
    reference = schema.sqlName(inverse, of: destination.entity)
  }

  /// The five triggers.
  var all: [Trigger] {
    let table = SQLIdentifier.quoted(counted)
    return [
      changing("INSERT", on: "AFTER INSERT", of: "NEW", to: "IFNULL(\(column), 0) + 1"),
      changing(
        "UPDATE_INCREMENT", on: "AFTER UPDATE OF \(reference)", of: "NEW", to: "\(column) + 1"),
      changing(
        "UPDATE_DECREMENT", on: "AFTER UPDATE OF \(reference)", of: "OLD", to: "\(column) - 1"),
      changing("DELETE", on: "AFTER DELETE", of: "OLD", to: "\(column) - 1"),
      trigger(
        "Z_DA_\(source)_\(entity)_\(attribute)_SOURCE_INSERT",
        on: "AFTER INSERT ON \(owner) FOR EACH ROW",
        value:
          "(SELECT IFNULL(COUNT(\(reference)), 0) FROM \(table) WHERE \(reference) = NEW.Z_PK)",
        key: "NEW.Z_PK", function: "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"),
    ]
  }

  /// Counts anew for all rows.
  var filling: String { "UPDATE \(owner) SET \(column) = \(count(of: "\(owner).Z_PK"))" }

  /// The SQL condition that finds a row, named `t`, with a wrong count.
  var condition: String { "IFNULL(t.\(column), 0) <> \(count(of: "t.Z_PK"))" }

  private var owner: String { SQLIdentifier.quoted(source) }

  private func count(of key: String) -> String {
    "(SELECT COUNT(*) FROM \(SQLIdentifier.quoted(counted)) AS c WHERE c.\(reference) = \(key))"
  }

  private func changing(
    _ what: String, on event: String, of row: String, to value: String
  ) -> Trigger {
    trigger(
      "Z_DA_\(counted)_\(entity)_\(attribute)_PARAMETER_\(what)",
      on: "\(event) ON \(SQLIdentifier.quoted(counted)) FOR EACH ROW"
        + " WHEN (\(row).\(reference) NOT NULL)",
      value: value, key: "\(row).\(reference)",
      function: "NSCoreDataDATriggerUpdatedAffectedObjectValue")
  }

  private func trigger(
    _ name: String, on event: String, value: String, key: String, function: String
  ) -> Trigger {
    let (table, property) = (SQLIdentifier.literal(source), SQLIdentifier.literal(attribute))
    let sql =
      "CREATE TRIGGER \(SQLIdentifier.quoted(name)) \(event) BEGIN"
      + " UPDATE \(owner) SET \(column) = \(value) WHERE Z_PK = \(key);"
      + " SELECT \(function)(\(table), Z_ENT, Z_PK, \(property), \(column)) FROM \(owner)"
      + " WHERE Z_PK = \(key); END"
    return Trigger(name: name, sql: sql)
  }
}
