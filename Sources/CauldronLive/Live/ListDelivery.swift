import CauldronLedger
import CauldronList
import CauldronModel

/// A message to a consumer of a list: the list as it is now, and the changes since the last one.
struct ListDelivery: Sendable {
  /// The list that was shown before; nil at first.
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
