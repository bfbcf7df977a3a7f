import CauldronModel
import CauldronQuery
import CauldronStore

/// Makes the changes of an update from the rows that it finds: the long way, which any store can go,
/// and which tells what is wrong with a value.
struct BatchEvaluation {
  let update: BatchUpdate
  let model: ManagedObjectModel
  /// The number of the change set to be.
  let id: UInt64
  private var builder = RowBuilder()
  private var updates: [Int32: [RowUpdate]] = [:]

  init(_ update: BatchUpdate, _ model: ManagedObjectModel, id: UInt64) {
    self.update = update
    self.model = model
    self.id = id
  }

  /// - Complexity: One statement, and one for each relationship of the expressions; O(rows).
  mutating func changes(_ reader: any StoreReader) throws -> ChangeSet {
    let found = try reader.fetch(update.query)
    return try found.withRows { rows in
      let rows = Array(rows)
      let evaluation = RowEvaluation(StoredRowSource(reader))
      let columns = try update.assignments.map { try evaluation.values($0.value, rows) }
      for (position, row) in rows.enumerated() {
        guard let layout = model.layout(number: row.entityNumber) else { continue }
        try add(row, of: layout, values: columns.map { $0[position] })
      }
      let sets = updates.compactMap { number, updates in
        model.layout(number: number).map {
          EntityChanges(entity: $0, inserted: [], updated: updates, deleted: [])
        }
      }
      return ChangeSet(id: id, entities: sets)
    }
  }

  private mutating func add(
    _ row: RowPointer, of layout: EntityLayout, values: [AttributeScalar]
  ) throws {
    builder.close()
    var copy = builder.copy(row, layout)
    for (assignment, value) in zip(update.assignments, values) {
      let property = layout.properties[assignment.property.index]
      guard let kept = property.kept(value) else {
        throw misfit(of: property, in: row, entity: layout)
      }
      copy = builder.set(property.index, kept, of: copy, layout)
      if let slot = property.entitySlot {
        copy.setCompanion(Int64(assignment.target?.number ?? 0), at: slot)
      }
      if let slot = property.orderSlot { copy.setCompanion(0, at: slot) }
    }
    builder.close()
    copy.setVersion(row.nextVersion)
    copy.setMaker(id)
    updates[layout.number, default: []].append(
      RowUpdate(row: copy, base: row, changed: update.changed))
  }

  private func misfit(
    of property: PropertyLayout, in row: RowPointer, entity layout: EntityLayout
  ) -> CauldronError {
    let type = property.attributeType?.displayName ?? "its type"
    return CauldronError(
      .queryOverflow,
      "Cannot update \(layout.name) at once: a new value of \(property.name) is none of \(type).",
      hint: "Leave those objects out, or calculate within the range of the type."
    ).with {
      $0.entity = layout.name
      $0.property = property.name
    }
  }
}
