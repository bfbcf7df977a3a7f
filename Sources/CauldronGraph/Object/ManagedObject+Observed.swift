import CauldronModel

// A bit of its state says that an object is observed, so an unobserved object pays nothing.
//
// What changes is noted at once and told when the event ends: a setter that called observers could not
// promise the compiler that nothing is released meanwhile, which would cost every setter a retain and a
// release, and observers would come in the middle of an edit.
extension ManagedObject {
  /// Has the observation that runs now, if one does, be told of the next change of a property, or of any
  /// where there is no index.
  package final func noteAccess(to index: Int?) {
    core._withUnsafeGuaranteedRef { core in
      // Changes of a row are announced only once the row has been read.
      if isFault { core.reader.fire(self) }
      core.announcer.noteAccess(to: index ?? ObservedCell.whole, of: self)
    }
  }

  /// Has the observers of a property told of its change when the event ends.
  @inline(__always)
  package final func noteChange(of index: Int) {
    if isObserved { note { $0 == index || $0 == ObservedCell.whole } }
  }

  /// Has all observers told: whatever they look at may be another thing now.
  @inline(__always)
  final func noteChanges() {
    if isObserved { note { _ in true } }
  }

  /// Has the observers of to-many relationships told, which nobody knows any more.
  @inline(__always)
  final func noteToMany() {
    if isObserved { noteToManyNow() }
  }

  /// Has the observers told of those properties that another row has other values of.
  @inline(__always)
  final func noteChanges(by row: RowPointer) {
    if isObserved { noteChangesNow(by: row) }
  }

  @inline(never)
  private func note(_ isChanged: (Int) -> Bool) {
    core._withUnsafeGuaranteedRef { $0.announcer.cells?.note(self, where: isChanged) }
  }

  @inline(never)
  private func noteToManyNow() {
    let layout = layout
    let toManys = layout.digest.relationships.filter { $0.kind == .toMany }.map(\.index)
    if toManys.isEmpty { return }
    note { $0 == ObservedCell.whole || toManys.contains($0) }
  }

  @inline(never)
  private func noteChangesNow(by new: RowPointer) {
    // What is read for the first time has not changed.
    if isFault { return }
    let changed = new.difference(from: RowPointer(row), layout)
    if changed.isEmpty { return }
    note { $0 == ObservedCell.whole || changed.contains($0) }
  }
}
