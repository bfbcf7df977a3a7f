package import CauldronModel
package import CauldronStore

/// Builds rows from values by name.
package final class RowFactory {
  package let model: ManagedObjectModel
  private var builder = RowBuilder()

  package init(_ model: ManagedObjectModel) { self.model = model }

  /// A new row; what is not named keeps its default, and references are keys.
  package func row(
    _ entity: String, _ key: Int64, version: Int32 = 1, _ values: [String: AttributeScalar] = [:]
  ) -> HeldRow {
    let layout = model.entity(entity)
    let row = set(values, of: builder.begin(layout, key: key), layout)
    row.setVersion(version)
    builder.close()
    return row.held
  }

  /// An update of a row: the next version, with other values.
  package func update(
    _ base: RowPointer, _ values: [String: AttributeScalar], version: Int32? = nil
  ) -> RowUpdate {
    let layout = layout(of: base)
    let row = set(values, of: builder.copy(base, layout), layout)
    row.setVersion(version ?? base.version + 1)
    builder.close()
    return RowUpdate(row: row, base: base, changed: row.difference(from: base, layout))
  }

  /// The entity of a row.
  package func layout(of row: RowPointer) -> EntityLayout {
    model.layouts[Int(row.entityNumber) - 1]
  }

  private func set(
    _ values: [String: AttributeScalar], of row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    var row = row
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let property = layout.property(name)
      row = builder.set(property.index, value, of: row, layout)
      if let slot = property.entitySlot, let destination = property.destination?.entity {
        row.setCompanion(value.isNull ? 0 : Int64(destination.number), at: slot)
      }
    }
    return row
  }
}

extension ChangeSet {
  /// A change set of rows of any entities.
  package convenience init(
    _ id: UInt64 = 1, from factory: RowFactory, inserted: [HeldRow] = [],
    updated: [RowUpdate] = [], deleted: [RowPointer] = [], keeping others: [HeldRow] = []
  ) {
    let entities = withExtendedLifetime((factory, inserted, others)) {
      factory.model.layouts.compactMap { layout -> EntityChanges? in
        let changes = EntityChanges(
          entity: layout,
          inserted: inserted.map(\.row).filter { $0.entityNumber == layout.number },
          updated: updated.filter { $0.row.entityNumber == layout.number },
          deleted: deleted.filter { $0.entityNumber == layout.number }.map(RowDeletion.init))
        return changes.count > 0 ? changes : nil
      }
    }
    self.init(id: id, entities: entities)
  }
}
