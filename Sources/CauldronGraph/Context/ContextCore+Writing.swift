import CauldronModel

extension ContextCore {
  /// Makes an object's row private, so that a property can be written.
  @usableFromInline
  package func prepareWrite(_ object: ManagedObject) {
    if object.isFault {
      fire(object)
      // What is unknown still is edited all the same; it is read when the edits are published.
      object.change { $0.endFault() }
    }
    if object.isUntracked {
      prepareUntracked(object)
      object.change { $0.beginWriting() }
      return
    }
    let extras = object.makeExtras()
    let shown = RowPointer(object.row)
    let base = extras.edits.untracked?.row ?? shown.held(by: object.owner)
    let isFirst = !object.isNew && !object.isEdited
    if isFirst { object.change { $0.becomeEdited() } }
    extras.edits.begin(at: base, isFirst: isFirst)
    let row = builder.copy(shown, object.layout)
    object.move(to: row)
    object.change { $0.beginWriting() }
    if object.entersEventWhenEdited {
      object.change { $0.enterEvent() }
      touch(object)
    }
  }
}

extension RowPointer {
  func held(by block: RowBlock) -> HeldRow { HeldRow(row: self, block: block) }
}
