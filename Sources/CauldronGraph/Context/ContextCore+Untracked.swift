import CauldronModel
import CauldronQuery

// What an object is told of its row, and what a program sets beside all that is tracked, shows in the
// object and nowhere else: not in layers, nor in the cache, nor in what a save writes.
extension ContextCore {
  /// From now on what is set of an object is no change of it.
  func beginUntracked(_ object: ManagedObject) {
    // What the running event has edited already goes on to be edited.
    if !object.isWritable, !object.isNew { object.change { $0.beginUntracked() } }
  }

  /// From now on what is set of an object is a change again.
  func endUntracked(_ object: ManagedObject) {
    guard object.isUntracked else { return }
    object.change { $0.endUntracked() }
    guard object.isWritable, let extras = object.extras,
      let untracked = extras.edits.untracked
    else { return }
    object.change { $0.endWriting() }
    let (row, layout) = (RowPointer(object.row), object.layout)
    for index in row.difference(from: untracked.row.row, layout).indices {
      extras.edits.setUntracked(index, layout.properties[index].scalar(in: row))
    }
    guard extras.edits.untracked?.values.isEmpty == true else { return }
    object.move(to: untracked.row.row)
    extras.edits.endUntracked()
  }

  /// Makes an object's row private, so that a value can be set that is no change.
  func prepareUntracked(_ object: ManagedObject) {
    let extras = object.makeExtras()
    let shown = RowPointer(object.row)
    extras.edits.beginUntracked(at: shown.held(by: object.owner))
    if object.isWritable { return }
    object.move(to: builder.copy(shown, object.layout))
  }

  /// Sets an attribute of an object that is not new, and tells nobody.
  func setUntracked(_ object: ManagedObject, _ index: Int, _ scalar: AttributeScalar) {
    // What the event has edited is an edit, whatever the object shows from now on.
    if object.extras?.edits.eventBase != nil { publisher.publish() }
    prepareUntracked(object)
    let layout = object.layout
    let new = builder.set(index, scalar, of: RowPointer(object.row), layout)
    if new.words != object.row { object.move(to: new) }
    // As the row has it, which is what it is compared with.
    object.extras?.edits.setUntracked(index, layout.properties[index].scalar(in: new))
  }

  /// The row that an object's edits are published with, which has nothing else.
  func publishable(
    _ object: ManagedObject, _ changed: PropertySet, on base: RowPointer
  ) -> RowPointer {
    let shown = RowPointer(object.row)
    guard let extras = object.extras, let untracked = extras.edits.untracked else { return shown }
    builder.close()
    let row = builder.merge(changed, from: shown, onto: base, object.layout)
    builder.close()
    let left = untracked.indices(in: shown, object.layout)
    extras.edits.publish(row.held, leaving: left)
    return row
  }
}
