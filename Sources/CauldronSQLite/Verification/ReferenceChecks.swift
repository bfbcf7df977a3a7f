import CauldronModel
import CauldronStore

/// What is asked of to-one references, and of the entity numbers and places beside them.
struct ReferenceChecks {
  let found: FoundSchema
  /// The entity that declares the relationships.
  let layout: EntityLayout

  var list: [RowCheck] {
    layout.ownProperties.flatMap { property -> [RowCheck] in
      guard property.kind == .toOne, let end = property.destination,
        let column = found.column(of: property, in: layout), let table = found.table(of: end.entity)
      else { return [] }
      let reference = Reference(
        property: property, end: end.entity, inverse: end.entity.properties[end.inverse],
        column: column, table: table)
      return target(reference) + entityKey(reference) + back(reference) + place(reference)
    }
  }

  private struct Reference {
    let property: PropertyLayout
    let end: EntityLayout
    let inverse: PropertyLayout
    let column: String
    /// The table of the objects that it leads to.
    let table: String

    /// A cell of the object that it leads to.
    func cell(_ name: String) -> String {
      "(SELECT d.\(name) FROM \(table) AS d WHERE d.Z_PK = \(column))"
    }

    var isThere: String { "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.Z_PK = \(column))" }
  }

  private func check(
    _ kind: StoreFinding.Kind, of reference: Reference, where condition: String, saying what: String
  ) -> RowCheck {
    RowCheck(
      kind: kind,
      condition: "\(found.rowCondition(layout))\(reference.column) NOT NULL AND \(condition)",
      what: "\(layout.name).\(reference.property.name) \(what)", entity: layout,
      property: reference.property)
  }

  private func target(_ reference: Reference) -> [RowCheck] {
    let entity = reference.cell("Z_ENT")
    let isThere = check(
      .linkDangling, of: reference, where: "NOT \(reference.isThere)",
      saying: "leads to no \(reference.end.name)")
    let isOfEntity = check(
      .linkEntity, of: reference, where: found.schema.excludes(entity, from: reference.end),
      saying: "leads to what is no \(reference.end.name)")
    // A one-way reference stays when its destination is deleted.
    return reference.inverse.kind == .transient ? [isOfEntity] : [isThere, isOfEntity]
  }

  private func entityKey(_ reference: Reference) -> [RowCheck] {
    guard let key = found.companion(reference.property.entitySlot, in: layout) else { return [] }
    return [
      check(
        .linkEntity, of: reference,
        where: "\(reference.isThere) AND \(key) IS NOT \(reference.cell("Z_ENT"))",
        saying: "has beside it the number of another entity than that of its object")
    ]
  }

  /// Of a one-to-one both ends have a column.
  private func back(_ reference: Reference) -> [RowCheck] {
    guard reference.inverse.kind == .toOne,
      let column = found.column(of: reference.inverse, in: reference.end)
    else { return [] }
    let name = "\(reference.end.name).\(reference.inverse.name)"
    let cell = reference.cell(column.replacing("t.", with: "", maxReplacements: 1))
    return [
      check(
        .linkOneSided, of: reference, where: "\(reference.isThere) AND \(cell) IS NOT t.Z_PK",
        saying: "leads to an object whose \(name) does not lead back")
    ]
  }

  /// Two objects may have one place, where two contexts put them there: keys decide then.
  private func place(_ reference: Reference) -> [RowCheck] {
    guard let place = found.companion(reference.property.orderSlot, in: layout) else { return [] }
    let name = "\(reference.end.name).\(reference.inverse.name)"
    return [
      check(
        .orderMissing, of: reference, where: "typeof(\(place)) <> 'integer'",
        saying: "gives no place in \(name)"),
      check(
        .orderNegative, of: reference, where: "typeof(\(place)) = 'integer' AND \(place) < 0",
        saying: "gives a place before the first one of \(name)"),
    ]
  }
}

extension StoreSchema {
  /// The condition that a number is one of a table's entities, and not one of a family in it. What is none
  /// of the table's is told of its row.
  func excludes(_ number: String, from layout: EntityLayout) -> String {
    "\(includes(number, in: layout.root)) AND NOT \(includes(number, in: layout))"
  }
}
