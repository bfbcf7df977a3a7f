import CauldronModel

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
    let changed = RowPointer(row).difference(from: base, layout)
    guard let untracked = extras?.untracked else { return changed }
    return changed.subtracting(untracked.indices(in: RowPointer(row), layout))
  }

  /// The properties that the running event has edited, those among them that it has set back and another
  /// context has changed meanwhile.
  func eventEdits(since base: RowPointer) -> PropertySet {
    var edits = edits(since: base)
    guard let extras else { return edits }
    if let theirs = extras.eventTheirs {
      edits.formUnion(base.difference(from: theirs.row, layout))
    }
    return extras.restated.isEmpty ? edits : edits.union(extras.restated)
  }

  /// The row that others see where the object has no edits: without what is no change.
  var trackedRow: RowPointer { extras?.untracked?.row.row ?? RowPointer(row) }
}
