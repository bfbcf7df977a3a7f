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
  /// The elements that others have overtaken, or that are in another section, by ascending new
  /// place. They have changed; no update tells of it again.
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
