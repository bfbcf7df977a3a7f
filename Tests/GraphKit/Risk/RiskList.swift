import Cauldron
import CauldronGraph

/// A list of all objects of an entity in a context, by their values, which rides along with a run.
struct RiskList {
  let kind: RiskKind
  /// The value and the number of each row that the list shows once it has settled.
  let rows: () throws -> [[Int]]

  init(_ kind: RiskKind, in context: ManagedObjectContext) throws {
    self.kind = kind
    rows =
      switch kind {
      case .card: try Self.rows(\Card.number, \Card.value, context)
      case .seat: try Self.rows(\Seat.number, \Seat.value, context)
      case .guest: try Self.rows(\Guest.number, \Guest.value, context)
      case .label: try Self.rows(\Label.number, \Label.value, context)
      case .binder: try Self.rows(\Binder.number, \Binder.value, context)
      case .sheet: try Self.rows(\Sheet.number, \Sheet.value, context)
      case .holder: try Self.rows(\Holder.number, \Holder.value, context)
      case .part: try Self.rows(\Part.number, \Part.value, context)
      }
  }

  private static func rows<Object: ManagedEntity>(
    _ number: KeyPath<Object, Int>, _ value: KeyPath<Object, Int>, _ context: ManagedObjectContext
  ) throws -> () throws -> [[Int]] {
    var query = ObjectQuery<Object>()
    query.request.sortKeys = [SortKey("value"), SortKey("number")]
    let list = FetchedResultsController(query, in: context)
    try context.performAndWait { _ in try list.performFetchAndWait() }
    return {
      try list.settleAndWait()
      return context.performAndWait { _ in
        let snapshot = list.snapshot
        return zip(snapshot.values(of: value), snapshot.values(of: number)).map { [$0, $1] }
      }
    }
  }
}

extension RiskRun {
  mutating func openLists() throws {
    guard setup.hasLists, let main = contexts[.main] else { return }
    lists = try family.kinds.map { try RiskList($0, in: main) }
  }

  /// A list shows what a fetch finds, in its order.
  mutating func compareLists() throws {
    guard let main = contexts[.main] else { return }
    for list in lists {
      var (listed, fetched): ([[Int]], [[Int]]) = ([], [])
      // What others have saved is found out at any moment, also by the fetch; then the list follows.
      for _ in 0..<3 {
        listed = try list.rows()
        fetched = try main.performAndWait { local in
          try list.kind.rows(in: local.context).map { [$0.row[.value] ?? -1, $0.number] }
            .sorted { $0.lexicographicallyPrecedes($1) }
        }
        if listed == fetched { break }
      }
      if listed == fetched {
        if !listed.isEmpty { report.meet("listed") }
        continue
      }
      throw RiskFinding(
        aspect: .list, objects: Set((listed + fetched).map { $0[1] }), place: .main,
        text: "\(list.kind) shows \(listed), and a fetch \(fetched)")
    }
  }
}
