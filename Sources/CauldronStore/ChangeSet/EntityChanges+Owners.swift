package import CauldronModel

// An owner is an object at the end of a reference whose other end is a to-many relationship: it is
// touched where the reference changes, although no column of its row does.
extension EntityChanges {
  /// The keys that a reference leads to, or led to, in rows where it does not end as it began; a key may
  /// come more than once.
  package func owners(by reference: PropertyLayout) -> [Int64] {
    var keys: [Int64] = []
    forEachOwner(by: reference) { row in
      let key = row.slot(reference.index)
      if keys.last != key { keys.append(key) }
    }
    return keys
  }

  /// Calls `body` with the rows in which a reference leads, or led, to an owner, where it does not end as it
  /// began.
  package func forEachOwner(by reference: PropertyLayout, _ body: (RowPointer) -> Void) {
    let index = reference.index
    func add(_ row: RowPointer) { if !row.isNull(index) { body(row) } }
    inserted.forEach(add)
    let placed = placed(by: reference)
    let touching = PropertySet([index, placed.index])
    for update in updated where !update.changed.intersection(touching).isEmpty {
      guard update.relinks(reference) || update.moves(placed) else { continue }
      add(update.base)
      add(update.row)
    }
    for deletion in deleted { add(deletion.base) }
  }

  /// The reference beside which a row has its place among the objects of the one that a reference leads to:
  /// that itself in a member's row; in a link's, the one that leads to the member.
  private func placed(by reference: PropertyLayout) -> PropertyLayout {
    guard entity.isJoin else { return reference }
    return entity.digest.toOnes.first { $0.index != reference.index } ?? reference
  }
}

extension RowUpdate {
  /// Whether a reference leads to another object than before.
  fileprivate func relinks(_ reference: PropertyLayout) -> Bool {
    let index = reference.index
    if base.isNull(index) || row.isNull(index) { return base.isNull(index) != row.isNull(index) }
    return base.slot(index) != row.slot(index)
  }

  /// Whether the place beside a reference is another one than before.
  fileprivate func moves(_ reference: PropertyLayout) -> Bool {
    reference.orderSlot.map { base.slot($0) != row.slot($0) } ?? false
  }
}
