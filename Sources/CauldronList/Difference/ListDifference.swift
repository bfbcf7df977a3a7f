/// What has changed between two snapshots of a list, as few changes as tell it.
///
/// All old places count in the old snapshot and all new ones in the new one, as if everything
/// happened at once. Shifts by other elements' changes are not told.
package struct ListDifference: Hashable, Sendable {
  /// An element that came or went.
  package struct Place: Hashable, Sendable {
    package let key: Int64
    package let place: Int
  }

  /// An element that stayed.
  package struct Step: Hashable, Sendable {
    package let key: Int64
    /// The old place.
    package let from: Int
    /// The new place.
    package let to: Int
  }

  /// The elements that are gone, by ascending old place.
  package var deletions: [Place] = []
  /// The elements that are new, by ascending new place.
  package var insertions: [Place] = []
  /// The elements that were overtaken or are in another section, by ascending new place. They have
  /// changed; no update tells of it again.
  package var moves: [Step] = []
  /// The elements that have changed and not moved, by ascending new place.
  package var updates: [Step] = []
  /// The old indices of sections that are gone, ascending; their elements are deleted or moved.
  package var sectionDeletions: [Int] = []
  /// The new indices of sections that are new, ascending; their elements are inserted or moved.
  package var sectionInsertions: [Int] = []
  /// Whether so much has changed that the rest is not told, and is empty.
  package var isReload = false

  package init() {}

  /// Everything may have changed.
  package static var reload: ListDifference {
    var difference = ListDifference()
    difference.isReload = true
    return difference
  }

  /// The number of changes of elements.
  package var count: Int { deletions.count + insertions.count + moves.count + updates.count }

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    count == 0 && sectionDeletions.isEmpty && sectionInsertions.isEmpty && !isReload
  }
}

extension ListDifference {
  /// The most changes that are told one by one.
  package static var most: Int { 10_000 }

  /// What has changed from one snapshot to another: O(k log n) for k touched keys, whatever happened
  /// between. The lists' other elements are not visited. Both snapshots have the same order.
  ///
  /// - Parameters:
  ///   - touched: The keys of all elements that came, went or changed between, and of any others; a
  ///     key may come more than once. What the list holds counts, not what it shows.
  ///   - marks: The keys of elements that are to be told as updated, though they are the same.
  ///   - most: The number of changes above which there is only a reload.
  package init<Order: ListOrder, Section>(
    from old: ListSnapshot<Order.Element, Section>, to new: ListSnapshot<Order.Element, Section>,
    touched: some Sequence<Int64>, marks: some Sequence<Int64> = EmptyCollection(),
    by order: Order, most: Int = most
  ) {
    var seen: Set<Int64> = []
    let changed = touched.filter { key in
      seen.insert(key).inserted
        && Self.isChanged(old.contents.keys[key], to: new.contents.keys[key], by: order)
    }
    let others = Set(marks).subtracting(changed)
      .filter { old.contents.keys[$0] != nil && new.contents.keys[$0] != nil }
    // More may have changed than is shown, but not by much: a window holds little more.
    if changed.count + others.count > most || abs(old.count - new.count) > most {
      self = .reload
      return
    }
    var finder = DifferenceFinder(old, new, order)
    finder.find(changed, marks: Array(others), most: most)
    self = finder.difference
  }

  private static func isChanged<Order: ListOrder>(
    _ old: Order.Element?, to new: Order.Element?, by order: Order
  ) -> Bool {
    switch (old, new) {
    case (nil, nil): false
    case (let old?, let new?): old != new && !order.hasSameContent(old, new)
    case (nil, _), (_, nil): true
    }
  }
}

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
