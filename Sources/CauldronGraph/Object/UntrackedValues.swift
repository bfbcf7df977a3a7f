package import CauldronModel
import CauldronQuery

/// What an object shows of its attributes and what is no change of it: set by ``ManagedObject/awakeFromFetch()``
/// or by ``ManagedObject/setPrimitiveValue(_:forKey:)``.
struct UntrackedValues {
  /// The row without them, as everybody else sees it.
  var row: HeldRow
  /// The values, by property index. One that the object shows no more was changed since.
  var values: [Int: AttributeScalar] = [:]

  /// The properties that show what was set.
  func indices(in row: RowPointer, _ layout: EntityLayout) -> PropertySet {
    PropertySet(values.lazy.filter { layout.properties[$0].scalar(in: row) == $1 }.map(\.key))
  }
}

extension ManagedObject {
  /// The properties that edits have made differ from an earlier row.
  func edits(since base: RowPointer) -> PropertySet {
    guard let extras else { return RowPointer(row).difference(from: base, layout) }
    return extras.edits.edits(in: RowPointer(row), since: base, layout)
  }

  /// The properties that the running event has edited, those among them that it has set back and another
  /// context has changed meanwhile.
  func eventEdits(since base: RowPointer) -> PropertySet {
    guard let extras else { return RowPointer(row).difference(from: base, layout) }
    return extras.edits.eventEdits(in: RowPointer(row), since: base, layout)
  }

  /// The row that others see where the object has no edits: without what is no change.
  package var trackedRow: RowPointer { extras?.edits.trackedRow ?? RowPointer(row) }

  /// The row before the context's unsaved edits; nil for a new object.
  var rowBelowEdits: RowPointer? {
    isNew ? nil : extras?.edits.committed?.row ?? extras?.edits.eventBase?.row
  }
}
