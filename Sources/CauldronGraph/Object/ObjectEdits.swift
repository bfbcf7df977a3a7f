package import CauldronModel
import CauldronQuery

/// The rows of an object's edits, and what is known of single edits beside the rows.
///
/// The object itself has the row that it shows. The others are rows of other moments:
/// ```
///   saved or read      the edits of           the running event
///                      earlier events
///   ───────●─────────────────●───────────────────────●──────────▶
///      committed         eventBase              the object's row
///                        eventFirst
/// ```
/// A row that is merged during the event comes in below the edits, so that the line is drawn anew: each
/// row has the merged values where it has no edit. Two rows remember what that would hide:
/// ```
///   ───────●─────────────────●──────────────●────────●──────────▶
///      committed         eventBase    mergedDuringTurn
///                        (the old values of properties that the event has edited, merged values elsewhere)
///                        eventFirst (as it was at the first edit)
/// ```
/// Only the functions below change the rows.
package struct ObjectEdits {
  /// The row before the context's unsaved edits; nil for an object that they insert. Properties without
  /// edits have the merged values.
  package private(set) var committed: HeldRow?
  /// The row at the last event boundary, which the event's edits are compared with.
  package private(set) var eventBase: HeldRow?
  /// The row at the event's first edit, without anything that was merged since.
  private(set) var eventFirst: HeldRow?
  /// The row that was merged last during the event.
  private(set) var mergedDuringTurn: HeldRow?
  /// The shown values that are no edits, and the row without them.
  private(set) var untracked: UntrackedValues?
  /// The to-one references that a delete rule has made nil, and nothing has set since.
  private(set) var nullified = PropertySet()
  /// The ends of one-to-one links that the event has set to the value that they showed; they count as
  /// edited.
  private(set) var restated = PropertySet()
}

// What is edited.
extension ObjectEdits {
  /// Whether a row was merged since the first unsaved edit.
  package var isOvertaken: Bool {
    mergedDuringTurn != nil || committed?.row.maker == RowPointer.composed
  }

  /// The row as contexts without the edits see it, where there are none.
  @inline(__always) package var trackedRow: RowPointer? { untracked?.row.row }

  /// The properties in which edits have made the shown row differ from an earlier one.
  @inline(__always)
  func edits(in shown: RowPointer, since base: RowPointer, _ layout: EntityLayout) -> PropertySet {
    let changed = shown.difference(from: base, layout)
    guard let untracked else { return changed }
    return changed.subtracting(untracked.indices(in: shown, layout))
  }

  /// The properties that the event has edited. A property that it has set back is among them if a merge
  /// has changed the property meanwhile.
  @inline(__always)
  func eventEdits(
    in shown: RowPointer, since base: RowPointer, _ layout: EntityLayout
  ) -> PropertySet {
    var edits = edits(in: shown, since: base, layout)
    if let mergedDuringTurn {
      edits.formUnion(base.difference(from: mergedDuringTurn.row, layout))
    }
    return restated.isEmpty ? edits : edits.union(restated)
  }
}

// Begin.
extension ObjectEdits {
  /// The event makes its first edit.
  /// - Parameters:
  ///   - row: The row before the edit.
  ///   - isFirst: Whether nothing of the object was unsaved.
  mutating func begin(at row: HeldRow, isFirst: Bool) {
    if isFirst { committed = row }
    (eventBase, eventFirst) = (row, row)
  }

  /// The event deletes an object that was new and turned out to be a saved one.
  mutating func beginDeletion(at row: HeldRow) { eventBase = row }

  /// Changes that were saved are unsaved again, or come from an object that was merged into this one.
  /// - Parameter row: The row before them; it is dropped where there is an older one.
  mutating func beginUnsaved(at row: HeldRow) { if committed == nil { committed = row } }

  /// Sets a property by an ordinary edit.
  mutating func set(_ index: Int) {
    nullified.remove(index)
    restated.remove(index)
  }

  /// A delete rule has made a reference nil.
  mutating func nullify(_ index: Int) { nullified.insert(index) }

  /// The event has set an end of a one-to-one link to the value that it showed.
  mutating func restate(_ index: Int) { restated.insert(index) }
}

// Take in.
extension ObjectEdits {
  /// Takes in a newer row, which has the published edits already.
  /// - Parameters:
  ///   - shown: The row that the object shows.
  ///   - isInEvent: Whether the event may have edited it.
  /// - Returns: The newer row with the event's edits on top; nil where there are none.
  mutating func takeIn(
    _ row: RowPointer, shown: RowPointer, isInEvent: Bool, of layout: EntityLayout,
    builder: inout RowBuilder
  ) -> RowPointer? {
    if let committed {
      self.committed = compose(
        committed.row, shown: shown, with: row, of: layout, builder: &builder)
    }
    guard isInEvent, let base = eventBase else { return nil }
    let edits = eventEdits(in: shown, since: base.row, layout)
    let before = builder.merge(edits, from: base.row, onto: row, layout)
    eventBase = before.held
    mergedDuringTurn = row.held
    return builder.merge(edits, from: shown, onto: row, layout)
  }

  /// The values of an earlier row in the edited properties, and those of a newer row in the others.
  private func compose(
    _ before: RowPointer, shown: RowPointer, with row: RowPointer, of layout: EntityLayout,
    builder: inout RowBuilder
  ) -> HeldRow {
    let edits = edits(in: shown, since: before, layout)
    if row.difference(from: before, layout).subtracting(edits).isEmpty,
      before.maker != RowPointer.composed || edits.isEmpty
    {
      return before.held
    }
    return builder.merge(edits, from: before, onto: row, layout).held
  }

  /// A reference that a delete rule has made nil and a merge has led elsewhere is none of the rule's.
  mutating func forgetLapsedRules(in row: RowPointer) {
    if nullified.isEmpty { return }
    nullified = PropertySet(nullified.indices.filter(row.isNull))
  }

  /// The edits of the event count as made after the last merge.
  mutating func rebaseOnMerged() {
    if let mergedDuringTurn { (eventBase, eventFirst) = (mergedDuringTurn, mergedDuringTurn) }
    mergedDuringTurn = nil
  }

  /// The unsaved edits count as made of another row.
  mutating func rebaseCommitted(onto row: HeldRow) { if committed != nil { committed = row } }

  /// Ends that were set to the values that they showed are no edits where the row below has these values.
  mutating func endRestated(in shown: RowPointer, below: RowPointer, _ layout: EntityLayout) {
    if !restated.isEmpty { restated = restated.intersection(below.difference(from: shown, layout)) }
  }

  /// Edits of the event count as made before the merged changes: the values that they replaced are those
  /// of another row.
  package mutating func placeBeforeMerge(
    _ properties: PropertySet, from row: RowPointer, of layout: EntityLayout,
    builder: inout RowBuilder
  ) {
    guard let base = eventBase else { return }
    if mergedDuringTurn == nil { mergedDuringTurn = base }
    eventBase = builder.merge(properties, from: row, onto: base.row, layout).held
    eventFirst = eventBase
    committed = committed.map { builder.merge(properties, from: row, onto: $0.row, layout).held }
  }

  /// The event's edits of an object that was merged into this one are this one's.
  /// - Parameter row: The row before these edits.
  mutating func inherit(
    _ edits: PropertySet, from row: RowPointer, of layout: EntityLayout, builder: inout RowBuilder
  ) {
    guard let before = eventBase else { return }
    let isFirst = committed?.row == before.row
    eventBase = builder.merge(edits, from: row, onto: before.row, layout).held
    if isFirst { committed = eventBase }
  }
}

// Publish, save and revert.
extension ObjectEdits {
  /// The event's edits are in the ledger, or dropped.
  mutating func publish() {
    (eventBase, eventFirst, mergedDuringTurn) = (nil, nil, nil)
    restated = PropertySet()
  }

  /// The edits of properties are dropped: each row has the values of before.
  mutating func withdraw(
    _ properties: PropertySet, of layout: EntityLayout, builder: inout RowBuilder
  ) {
    restated = restated.subtracting(properties)
    guard let committed, let base = eventBase else { return }
    func merge(_ row: HeldRow) -> HeldRow {
      builder.merge(properties, from: committed.row, onto: row.row, layout).held
    }
    let first = eventFirst.map(merge)
    (eventBase, eventFirst) = (merge(base), first)
  }

  /// Properties are not edited any more, whatever the object shows.
  mutating func end(
    _ properties: PropertySet, in shown: RowPointer, of layout: EntityLayout,
    builder: inout RowBuilder
  ) {
    nullified = nullified.subtracting(properties)
    committed = committed.map { builder.merge(properties, from: shown, onto: $0.row, layout).held }
  }

  /// All edits are saved but those of the event.
  mutating func saveUpToEvent() { if let eventBase { committed = eventBase } }

  /// Nothing that the event did not edit is unsaved any more.
  mutating func settle() {
    committed = nil
    nullified = PropertySet()
  }

  /// Nothing is edited any more.
  mutating func revert() {
    settle()
    publish()
  }
}

// Rename.
extension ObjectEdits {
  /// Has all rows name the final keys of objects.
  /// - Parameter renamed: A row with these keys.
  mutating func rename(_ renamed: (RowPointer) -> HeldRow) {
    if let row = untracked?.row { untracked?.row = renamed(row.row) }
    committed = committed.map { renamed($0.row) }
    eventBase = eventBase.map { renamed($0.row) }
    eventFirst = eventFirst.map { renamed($0.row) }
    mergedDuringTurn = mergedDuringTurn.map { renamed($0.row) }
  }
}

// Values that are no edits.
extension ObjectEdits {
  /// A value is to be shown that is no edit.
  /// - Parameter row: The row without such values; it is dropped where there is an older one.
  mutating func beginUntracked(at row: HeldRow) {
    if untracked == nil { untracked = UntrackedValues(row: eventBase ?? row) }
  }

  /// A shown value is no edit.
  mutating func setUntracked(_ index: Int, to value: AttributeScalar?) {
    untracked?.values[index] = value
  }

  /// What a property shows from now on is an edit, also where it is what it has shown before.
  mutating func track(_ index: Int) { untracked?.values[index] = nil }

  /// Edits are published with a row that has nothing else.
  mutating func publish(_ row: HeldRow, leaving indices: PropertySet) {
    guard let untracked else { return }
    self.untracked = UntrackedValues(
      row: row, values: untracked.values.filter { indices.contains($0.key) })
  }

  /// The edits have ended where they began.
  mutating func endTracked(at row: HeldRow) { untracked?.row = row }

  /// The object shows no value any more that is no edit.
  mutating func endUntracked() { untracked = nil }
}

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
