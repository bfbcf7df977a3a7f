import CauldronLedger
public import CauldronList
public import CauldronModel

/// What has changed from one snapshot of a list to another, as few changes as tell it.
///
/// All old places count in the old snapshot and all new ones in the new one, as if everything happened at
/// once: remove the old places from behind, then insert the new ones from the front. Shifts by other
/// objects' changes are not told.
public struct FetchedResultsDifference: Sendable, Hashable {
  /// An object that came or went.
  public struct Placement: Sendable, Hashable {
    /// The object.
    public let objectID: ManagedObjectID
    /// Its place in the whole list, from 0.
    public let place: Int
    /// Its section, and its place there.
    public let path: ListPath
  }

  /// An object that stayed.
  public struct Passage: Sendable, Hashable {
    /// The object.
    public let objectID: ManagedObjectID
    /// The old place in the whole list, from 0.
    public let from: Int
    /// The new place.
    public let to: Int
    /// The old section, and the place there.
    public let fromPath: ListPath
    /// The new section, and the place there.
    public let toPath: ListPath
  }

  /// The objects that are gone, by ascending old place.
  public private(set) var deletions: [Placement] = []
  /// The objects that are new, by ascending new place.
  public private(set) var insertions: [Placement] = []
  /// The objects that were overtaken or are in another section, by ascending new place. They have
  /// changed, too.
  public private(set) var moves: [Passage] = []
  /// The objects that have changed and not moved, by ascending new place.
  public private(set) var updates: [Passage] = []
  /// The old numbers of sections that are gone, ascending; their objects are among the deletions and moves.
  public private(set) var sectionDeletions: [Int] = []
  /// The new numbers of sections that are new, ascending; their objects are among the insertions and
  /// moves.
  public private(set) var sectionInsertions: [Int] = []
  /// Whether so much has changed, or the order is another, that nothing else is told: draw everything anew.
  public private(set) var isReload = false

  /// Whether nothing has changed.
  public var isEmpty: Bool {
    count == 0 && sectionDeletions.isEmpty && sectionInsertions.isEmpty && !isReload
  }

  /// How many objects are told of.
  public var count: Int { deletions.count + insertions.count + moves.count + updates.count }

  /// The same as the standard library tells it: a move is a removal and an insertion that belong together,
  /// and an update nothing; nil for a reload.
  ///
  /// ```swift
  /// if let changes = difference.collectionDifference { ids = ids.applying(changes) ?? ids }
  /// ```
  /// - Complexity: O(k log k).
  public var collectionDifference: CollectionDifference<ManagedObjectID>? {
    if isReload { return nil }
    let removed =
      deletions.map { ($0.place, $0.objectID, nil as Int?) }
      + moves.map { ($0.from, $0.objectID, $0.to) }
    let inserted =
      insertions.map { ($0.place, $0.objectID, nil as Int?) }
      + moves.map { ($0.to, $0.objectID, $0.from) }
    return CollectionDifference(
      removed.map { .remove(offset: $0, element: $1, associatedWith: $2) }
        + inserted.map { .insert(offset: $0, element: $1, associatedWith: $2) })
  }

  init(
    _ difference: ListDifference, from old: RowSnapshot?, to new: RowSnapshot,
    _ coordinator: PersistentStoreCoordinator
  ) {
    isReload = difference.isReload
    guard let old, !isReload else { return }
    deletions = difference.deletions.map { change in
      Placement(
        objectID: old.id(at: change.place, coordinator), place: change.place,
        path: old.path(of: change.place))
    }
    insertions = difference.insertions.map { change in
      Placement(
        objectID: new.id(at: change.place, coordinator), place: change.place,
        path: new.path(of: change.place))
    }
    func step(_ step: ListDifference.Step) -> Passage {
      Passage(
        objectID: new.id(at: step.to, coordinator), from: step.from, to: step.to,
        fromPath: old.path(of: step.from), toPath: new.path(of: step.to))
    }
    moves = difference.moves.map(step)
    updates = difference.updates.map(step)
    sectionDeletions = difference.sectionDeletions
    sectionInsertions = difference.sectionInsertions
  }
}

extension FetchedResultsDifference: CustomStringConvertible {
  /// The counts that are not 0: `2 inserted, 1 moved`.
  public var description: String {
    if isReload { return "reloaded" }
    let counts = [
      (insertions.count, "inserted"), (deletions.count, "deleted"), (moves.count, "moved"),
      (updates.count, "updated"), (sectionInsertions.count, "sections inserted"),
      (sectionDeletions.count, "sections deleted"),
    ].filter { $0.0 > 0 }
    return counts.isEmpty ? "nothing changed" : counts.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}

extension RowSnapshot {
  /// The ID of the object at a place.
  func id(at place: Int, _ coordinator: PersistentStoreCoordinator) -> ManagedObjectID {
    withRow(at: place) { coordinator.id($0) }.followed(coordinator.ledger.provisional)
  }
}
