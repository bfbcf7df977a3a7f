extension ListDifference {
  /// The changes of places as the standard library tells them, where a move is a removal and an
  /// insertion that belong together, and an update nothing: O(k log k). Nil for a reload.
  ///
  /// - Parameter id: What the collection has in place of a key.
  package func collectionDifference<ID>(_ id: (Int64) -> ID) -> CollectionDifference<ID>? {
    if isReload { return nil }
    var changes: [CollectionDifference<ID>.Change] = []
    changes.reserveCapacity(deletions.count + insertions.count + 2 * moves.count)
    for deletion in deletions {
      changes.append(
        .remove(offset: deletion.place, element: id(deletion.key), associatedWith: nil))
    }
    for insertion in insertions {
      changes.append(
        .insert(offset: insertion.place, element: id(insertion.key), associatedWith: nil))
    }
    for move in moves {
      let id = id(move.key)
      changes.append(.remove(offset: move.from, element: id, associatedWith: move.to))
      changes.append(.insert(offset: move.to, element: id, associatedWith: move.from))
    }
    return CollectionDifference(changes)
  }
}
