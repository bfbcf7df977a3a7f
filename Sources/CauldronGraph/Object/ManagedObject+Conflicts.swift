import CauldronLedger
public import CauldronModel
import CauldronStore

extension ManagedObject {
  /// What a save would meet in this object as things stand: properties with unsaved edits that
  /// others have changed since, or their deletion of the object. Empty where nothing is in conflict.
  ///
  /// ```swift
  /// for property in person.conflicts.flatMap(\.properties) {
  ///   print(property.name, property.theirs as Any, property.mine as Any)
  /// }
  /// ```
  /// `refresh(_:mergeChanges:)` decides them, for the own values with true, for the others' with
  /// false.
  /// - Complexity: No statement where the row is cached, else one; O(the context's unsaved layers).
  public final var conflicts: [MergeConflict] {
    _check()
    return core._withUnsafeGuaranteedRef { $0.reader.conflict(of: self).map { [$0] } ?? [] }
  }
}

extension Reader {
  /// The unsaved edits of an object, those of the running event included.
  private struct Edit {
    var was: RowPointer
    var mine: RowPointer
    var changed: PropertySet
  }

  func conflict(of object: ManagedObject) -> MergeConflict? {
    keys.settleRefreshes()
    if object.isDeleted { return conflict(ofDeleted: object) }
    guard object.isEdited, !object.isNew else { return nil }
    let layers = place.coordinator.ledger.layers(of: place.node)
    guard let edit = withExtendedLifetime(layers, { edit(of: object, layers) }) else { return nil }
    let below: HeldRow?
    do {
      below = try row(below: object)
    } catch {
      // The save reports a row that cannot be read.
      return nil
    }
    guard let theirs = below else {
      return MergeConflict(
        object.objectID, object.layout, was: edit.was, theirs: nil, mine: edit.mine, edit.changed)
    }
    return withExtendedLifetime(theirs) {
      let both = theirs.row.difference(from: edit.was, object.layout).intersection(edit.changed)
      guard !both.isEmpty else { return nil }
      return MergeConflict(
        object.objectID, object.layout, was: edit.was, theirs: theirs.row, mine: edit.mine, both)
    }
  }

  private func conflict(ofDeleted object: ManagedObject) -> MergeConflict? {
    if object.isFault || object.isGone { return nil }
    // Without a row it was never saved, or is deleted there as well.
    guard let theirs = try? row(below: object) else { return nil }
    return withExtendedLifetime(theirs) {
      let was = object.committedRow
      let both = theirs.row.difference(from: was, object.layout)
        .subtracting(PropertySet(object.layout.digest.derived))
      if both.isEmpty { return nil }
      return MergeConflict(
        object.objectID, object.layout, was: was, theirs: theirs.row, mine: nil, both)
    }
  }

  private func edit(of object: ManagedObject, _ layers: [Layer]) -> Edit? {
    var edit: Edit?
    for layer in layers where layer.isUnsaved(of: place.node) {
      guard case .updated(let update) = layer.changes.change(object.objectID) else { continue }
      add(Edit(was: update.base, mine: update.row, changed: update.changed), to: &edit, of: object)
    }
    if let extras = object.extras, let base = extras.edits.eventBase {
      let changed = object.eventEdits(since: base.row)
      add(
        Edit(was: base.row, mine: RowPointer(object.row), changed: changed), to: &edit, of: object)
    }
    return edit
  }

  private func add(_ newer: Edit, to edit: inout Edit?, of object: ManagedObject) {
    guard let older = edit else {
      edit = newer
      return
    }
    let was = drafts.builder.merge(older.changed, from: older.was, onto: newer.was, object.layout)
    edit = Edit(was: was, mine: newer.mine, changed: older.changed.union(newer.changed))
  }
}
