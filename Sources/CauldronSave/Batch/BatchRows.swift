package import CauldronModel
import CauldronQuery

/// New rows that a program fills one by one, packed as they come; the store is not asked for anything.
///
/// Not `Sendable`: it belongs to the call that fills it.
package final class BatchRows {
  package let entity: EntityLayout
  let storeNumber: Int32
  private var builder = RowBuilder()
  /// The rows, without keys.
  private(set) var rows: [RowPointer] = []
  /// The properties that were set in each.
  private(set) var touched: [PropertySet] = []
  /// What could not be set.
  private(set) var error: (any Error)?

  init(_ entity: EntityLayout, storeNumber: Int32) {
    self.entity = entity
    self.storeNumber = storeNumber
  }

  /// Begins a row with the defaults.
  package func begin() {
    var row = builder.begin(entity, key: 0)
    for computed in entity.computedDefaults {
      row = builder.set(computed.index, computed.make(), of: row, entity)
    }
    rows.append(row)
    touched.append(PropertySet())
  }

  /// The value of a property in the row that was begun last.
  package func value(_ name: String) -> AttributeScalar {
    guard let row = rows.last, let index = entity.index(of: name) else { return .null }
    return entity.properties[index].scalar(in: row)
  }

  /// The object that a to-one relationship of that row leads to.
  package func object(_ name: String) -> ManagedObjectID? {
    guard let row = rows.last, let index = entity.index(of: name), !row.isNull(index),
      let destination = entity.properties[index].destination?.entity
    else { return nil }
    let number = entity.properties[index].entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
    return ManagedObjectID(
      key: row.slot(index), entityNumber: number ?? destination.number, storeNumber: storeNumber)
  }

  /// Gives a property of that row a value. What is wrong with it is told when the rows are written.
  package func set(_ name: String, to scalar: AttributeScalar) {
    do {
      let binder = BatchBinder(entity: entity, storeNumber: storeNumber)
      set(try binder.attribute(name), to: scalar)
    } catch { note(error) }
  }

  /// Has a to-one relationship of that row lead to an object.
  package func set(_ name: String, to id: ManagedObjectID?) {
    do {
      let binder = BatchBinder(entity: entity, storeNumber: storeNumber)
      let property = try binder.reference(name, to: id)
      set(property, to: id.map { .integer($0.key) } ?? .null)
      if let slot = property.entitySlot {
        rows.last?.setCompanion(Int64(id?.entityNumber ?? 0), at: slot)
      }
    } catch { note(error) }
  }

  private func note(_ error: any Error) { if self.error == nil { self.error = error } }

  private func set(_ property: PropertyLayout, to scalar: AttributeScalar) {
    guard let row = rows.last else { return }
    rows[rows.count - 1] = builder.set(property.index, scalar, of: row, entity)
    touched[touched.count - 1].insert(property.index)
  }

  /// Ends the last row; nothing is set any more.
  func close() { builder.close() }

  /// Combines two rows: what was set in the second one goes before what is in the first.
  func merge(_ second: Int, onto first: RowPointer, of layout: EntityLayout) -> RowPointer {
    let merged = builder.merge(touched[second], from: rows[second], onto: first, layout)
    if layout === entity { return merged }
    // What belongs to a reference lies elsewhere in a subentity's rows.
    for index in touched[second].indices {
      guard let own = entity.properties[index].entitySlot,
        let slot = layout.properties[index].entitySlot
      else { continue }
      merged.setCompanion(rows[second].slot(own), at: slot)
    }
    return merged
  }
}
