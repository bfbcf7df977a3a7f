import CauldronList
import CauldronModel

/// What somebody who shows a list is told: the list as it is now, and what has changed since.
struct ListDelivery: Sendable {
  /// What was shown before; nil at first.
  let old: RowSnapshot?
  let new: RowSnapshot
  let difference: FetchedResultsDifference
  /// The number of the plan.
  let version: Int

  /// - Complexity: O(k log n) for k changes.
  init(_ work: ListBacklog.Work, _ coordinator: PersistentStoreCoordinator) {
    old = work.old
    new = work.new
    version = work.version
    difference = FetchedResultsDifference(
      work.difference, from: work.old, to: work.new, coordinator)
  }

  var isEmpty: Bool { difference.isEmpty && old != nil }
}
