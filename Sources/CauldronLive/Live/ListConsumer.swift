import CauldronLedger
import CauldronList
import CauldronModel

/// Somebody who shows a list: it has seen a snapshot, and gathers what was touched since.
///
/// What it is told is found out from the two snapshots, however much has happened between.
protocol ListConsumer: AnyObject, Sendable {
  /// The list has another state. Called while the list steps.
  /// - Parameter version: The number of the plan that the state is of.
  func note(_ snapshot: RowSnapshot, touched: ListTouches, isReload: Bool, version: Int)
  /// The list could not be made right.
  func fail(_ error: CauldronError)
  /// Called on the list's queue after a step.
  func prepare()
  /// Called on the thread of the context's owner after a step there.
  func deliverHere()
}

/// The keys of what there may be to tell of a list.
struct ListTouches {
  /// Of rows that may be others now.
  var rows: [Int64] = []
  /// Of objects that are told as updated though their rows are the same: other objects lead to them now.
  var owners: [Int64] = []

  var count: Int { rows.count + owners.count }
  var isEmpty: Bool { rows.isEmpty && owners.isEmpty }

  static func += (a: inout ListTouches, b: ListTouches) {
    a.rows += b.rows
    a.owners += b.owners
  }

  /// Takes away what was there first.
  mutating func removeFirst(_ other: ListTouches) {
    rows.removeFirst(other.rows.count)
    owners.removeFirst(other.owners.count)
  }

  /// Has each key come once.
  mutating func removeDuplicates() {
    rows = Array(Set(rows))
    owners = Array(Set(owners))
  }
}

/// What a consumer has seen, and what has happened since.
struct ListBacklog {
  private(set) var shown: RowSnapshot?
  private(set) var latest: RowSnapshot?
  /// The number of the plan that the latest state is of.
  private(set) var version = -1
  /// Grows with each state that was shown.
  private(set) var shownCount = 0
  private var touched = ListTouches()
  private var isReload = false
  /// How often there was something to note, as of the state that was shown last.
  private(set) var shownNotes = 0
  /// How often there was something to note, how often all of it, and how often keys were sorted out.
  private(set) var notes = 0
  private var reloads = 0
  private var clearances = 0

  /// So many keys are gathered one by one.
  private static let most = 20_000

  var isEmpty: Bool { notes == shownNotes }

  mutating func note(
    _ snapshot: RowSnapshot, touched keys: ListTouches, isReload: Bool, version: Int
  ) {
    latest = snapshot
    self.version = version
    notes += 1
    touched += keys
    if isReload || shown == nil { reload() }
    guard touched.count > Self.most else { return }
    clearances += 1
    touched.removeDuplicates()
    guard touched.count > Self.most else { return }
    reload()
    touched = ListTouches()
  }

  private mutating func reload() {
    isReload = true
    reloads += 1
  }

  /// What to tell: from which snapshot to which, by which keys.
  struct Work {
    let old: RowSnapshot?
    let new: RowSnapshot
    let touched: ListTouches
    let isReload: Bool
    let version: Int
    let shownCount: Int
    fileprivate let counts: [Int]

    /// Whether it takes a while to find out what has changed.
    var isLarge: Bool { touched.count > 512 && !isReload }
  }

  /// What there is to tell; nil for nothing.
  var work: Work? {
    guard !isEmpty, let latest else { return nil }
    return Work(
      old: shown, new: latest, touched: touched, isReload: isReload, version: version,
      shownCount: shownCount, counts: [notes, reloads, clearances])
  }

  /// Somebody has been told. What came since stays to be told.
  mutating func show(_ work: Work) {
    shown = work.new
    shownCount += 1
    shownNotes = work.counts[0]
    if notes == work.counts[0] {
      touched = ListTouches()
    } else if clearances == work.counts[2] {
      touched.removeFirst(work.touched)
    }
    if reloads == work.counts[1] { isReload = false }
  }
}

extension ListBacklog.Work {
  /// What has changed; a reload is told as such.
  /// - Complexity: O(k log n) for k touched keys.
  var difference: ListDifference {
    guard !isReload, let old else { return .reload }
    return new.difference(from: old, touched: touched.rows, marks: touched.owners)
  }
}

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
