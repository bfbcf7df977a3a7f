import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronList
import CauldronModel
import Foundation

/// A list with copies of it that are kept by nothing but what it tells.
///
/// `@unchecked Sendable` because one thread at a time uses it: the run's, or the context's while the run
/// waits for it.
final class ListWatcher: @unchecked Sendable {
  let list: FetchedResultsController<Track>
  let context: ManagedObjectContext
  private let section: SectionKey<Track>?
  private var token: FetchedResultsObservation?
  /// The list by its differences.
  private var flat: [ManagedObjectID] = []
  private var byCollection: [ManagedObjectID] = []
  /// The list by its delegate's calls, in sections.
  private var replay = ListReplay()
  private var values: [ManagedObjectID: String] = [:]
  private var problem: String?
  private var kept: [(FetchedResultsSnapshot<Track>, [ManagedObjectID], [String])] = []
  private(set) var deliveries = 0

  init(
    _ query: ObjectQuery<Track>, _ section: SectionKey<Track>?, in context: ManagedObjectContext
  ) {
    self.context = context
    self.section = section
    list = FetchedResultsController(query, in: context, sectionBy: section)
    list.delegate = replay
    token = list.observe { [weak self] in self?.take($0, $1) }
  }

  /// What the list is of.
  var text: String {
    let request = list.fetchRequest
    let order = request.sortKeys.map { ($0.ascending ? "" : "-") + $0.key }
    return "\(request.predicate.map { "\($0)" } ?? "all") by \(order)"
      + " \(request.offset)+\(request.limit ?? -1) \(section.map { "\($0)" } ?? "")"
  }

  private func take(
    _ snapshot: FetchedResultsSnapshot<Track>, _ difference: FetchedResultsDifference
  ) {
    deliveries += 1
    let ids = snapshot.objectIDs
    let now = Dictionary(
      zip(ids, snapshot.contents), uniquingKeysWith: { first, _ in first })
    if difference.isReload {
      flat = ids
      byCollection = ids
    } else {
      if difference.isEmpty { problem = "a call without a change" }
      check(difference, now, ids)
      flat = difference.replayed(on: flat)
      byCollection = difference.collectionDifference.flatMap(byCollection.applying) ?? []
    }
    if deliveries == 1 { replay.reload(snapshot) }
    if deliveries % 5 == 1 { kept.append((snapshot, ids, snapshot.contents)) }
    values = now
  }

  /// Each row that differs is an update or a move. So may be a row that is as it was: where what rows are sorted by
  /// lies elsewhere, and where the labels of a track have changed, maybe there and back.
  private func check(
    _ difference: FetchedResultsDifference, _ now: [ManagedObjectID: String],
    _ ids: [ManagedObjectID]
  ) {
    let told = Set((difference.updates + difference.moves).map(\.objectID))
    let changed = Set(now.filter { id, value in values[id].map { $0 != value } ?? false }.keys)
    if !changed.isSubset(of: told) { problem = "a changed row that nobody tells of" }
    for move in difference.moves
    where move.fromPath == move.toPath && difference.count == 1
      && difference.sectionInsertions.isEmpty && difference.sectionDeletions.isEmpty
    { problem = "a move in place" }
  }

  /// What does not fit; nil if all does.
  ///
  /// What others have written is found out at any moment, also by the fetch: then the list follows.
  func difference() throws -> String? {
    var found: String?
    for _ in 0..<4 {
      try list.settleAndWait()
      found = try context.performAndWait { _ in
        try differenceHere(list.snapshot, list.fetchedIDs())
      }
      if found == nil || problem != nil { break }
    }
    return found
  }

  private func differenceHere(
    _ snapshot: FetchedResultsSnapshot<Track>, _ fetched: [ManagedObjectID]
  ) throws -> String? {
    if let problem { return problem }
    let sections = snapshot.sections
    let shown = snapshot.objectIDs
    if shown != fetched { return "shows \(names(shown)), and a fetch \(names(fetched))" }
    if flat != shown { return "by differences \(names(flat)) instead of \(names(shown))" }
    if byCollection != shown { return "by collections \(names(byCollection))" }
    let groups = sections.map { snapshot.objectIDs(in: $0.places) }
    if replay.sections.map(\.ids) != groups {
      return "by calls \(replay.sections.map { names($0.ids) }) instead of \(groups.map(names))"
    }
    if replay.sections.map(\.name) != sections.map(\.name) {
      return "sections by calls \(replay.sections.map(\.name)), \(sections.map(\.name))"
    }
    if Set(sections.map(\.value)).count != sections.count { return "a section comes twice" }
    for (snapshot, ids, contents) in kept {
      // A snapshot follows where a provisional key, taken while the store was busy, became another one.
      let finals = ids.map { $0.followed(snapshot.coordinator.ledger.provisional) }
      let (shown, now) = (snapshot.objectIDs, snapshot.contents)
      if shown != finals { return "a kept snapshot of \(names(finals)) shows \(names(shown))" }
      if now != contents { return "a kept snapshot of \(contents) has changed to \(now)" }
    }
    return objects(snapshot)
  }

  /// The objects are those of the IDs.
  private func objects(_ snapshot: FetchedResultsSnapshot<Track>) -> String? {
    for (place, object) in list.objects(in: 0..<snapshot.count).enumerated()
    where object.objectID != snapshot.objectID(at: place) {
      return "the object at \(place) is \(object.objectID)"
    }
    return nil
  }

  private func names(_ ids: [ManagedObjectID]) -> String {
    "[" + ids.map { "\($0.key)" }.joined(separator: " ") + "]"
  }
}

extension FetchedResultsSnapshot where Object == Track {
  /// The values of the rows, as text.
  var contents: [String] {
    let all = 0..<count
    let titles = values(of: \.title, in: all)
    let numbers = values(of: \.number, in: all)
    let ratings = values(of: \.rating, in: all)
    let dates = values(of: \.added, in: all)
    var discs: [Int64] = []
    rows?.forEach(in: all) { row in
      let disc = rows?.plan.layout(of: row).properties.first { $0.name == "disc" }
      discs.append(disc.map { row.isNull($0.index) ? 0 : row.slot($0.index) } ?? 0)
    }
    return all.map {
      "\(discs[$0])|\(titles[$0])|\(numbers[$0])|\(ratings[$0] as Any)|\(dates[$0] as Any)"
    }
  }
}
