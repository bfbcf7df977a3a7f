import CauldronLedger
package import CauldronModel
package import CauldronQuery
import CauldronStore

/// A fetch that goes on page by page: each page is read by itself, behind the last row of the one
/// before, so that neither rows nor IDs gather. Objects inserted meanwhile are left out, so that a
/// loop which creates objects ends.
package struct FetchPages<Object: ManagedObject>: Sendable {
  private let request: FetchRequest<Object>
  private let size: Int
  /// How many objects are still wanted.
  private var left: Int
  private var place = Place.start
  /// The greatest key when the fetch began.
  private var lastKey = Int64.max

  private enum Place: Sendable {
    case start
    case behind(PageEnd)
    case end
  }

  /// - Parameter size: How many objects a page has, at least one.
  package init(_ request: FetchRequest<Object>, size: Int) {
    self.request = request
    self.size = max(1, size)
    left = request.limit ?? .max
  }

  /// The next page, to be shown by a context; nil at the end.
  package mutating func next(
    in context: ManagedObjectContext
  ) throws -> FetchedResult<Object>? {
    context.prove()
    let core = context.core
    let entity = try core.requests.layout(named: request.entityName, for: Object.self)
    let storage = core.fetcher.newStorage()
    guard let (page, chain) = try nextPage(in: core, make: { _, rows in rows }) else { return nil }
    storage.fill(page, seenWith: chain, of: StoreQuery(entity: entity).entityNumbers)
    return FetchedResult(storage: storage)
  }

  /// The columns of the next page; nil at the end.
  package mutating func nextValues(
    _ columns: [QueryExpression], in context: ManagedObjectContext
  ) throws -> [[AttributeScalar]]? {
    context.prove()
    let core = context.core
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.windowed(nil))
    var lines = ValueRequest(request)
    lines.columns = columns
    (lines.objects.limit, lines.objects.offset) = (nil, 0)
    let values = try ValueBinder(storeNumber: core.coordinator.storeNumber, query: query)
      .bind(lines)
    return try nextPage(in: core) { snapshot, rows in
      try ValueEvaluation(values, SnapshotSource(snapshot)).lines(rows)
    }?.0
  }

  /// Reads the next page, and makes something of it in the same view of the store.
  private mutating func nextPage<Page>(
    in core: ContextCore, make: (Snapshot, RowSet) throws -> Page
  ) throws -> (Page, LayerChain)? {
    var query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    // Pending rows have their places among the others, so that one can go on behind each.
    query.isByKey = true
    let isFirst: Bool
    switch place {
    case .end: return nil
    case .start: isFirst = true
    case .behind(let end):
      isFirst = false
      query = query.following(end)
    }
    query.limit = min(size, left)
    let bound = isFirst ? nil : lastKey
    core.publisher.publishForQuery()
    let page = try core.fetcher.page(
      query, includesPendingChanges: request.includesPendingChanges, bound: bound, make: make)
    lastKey = page.lastKey
    left -= page.count
    let isLast = left == 0 || page.count < query.limit ?? 0
    place = page.end.flatMap { isLast ? nil : .behind($0) } ?? .end
    return page.count == 0 ? nil : (page.made, page.chain)
  }
}

/// What was made of a page, where it ends, and up to which key there were objects when it began.
private struct FetchPage<Made> {
  let made: Made
  /// How many rows it has.
  let count: Int
  let end: PageEnd?
  let lastKey: Int64
  let chain: LayerChain
}

extension Fetcher {
  /// - Parameter bound: The greatest key that is wanted; nil where it is to be found out.
  fileprivate func page<Made>(
    _ query: StoreQuery, includesPendingChanges: Bool, bound: Int64?,
    make: (Snapshot, RowSet) throws -> Made
  ) throws -> FetchPage<Made> {
    let page = try timed(query) {
      let (page, chain) = try read(
        query, includesPendingChanges: includesPendingChanges
      ) { seen, query in
        let last = try bound ?? seen.greatestKey(of: query.entity.root)
        let rows = try seen.fetch(bound == nil ? query : query.upTo(last), builder: &drafts.builder)
        return (try make(seen, rows), rows.count, try end(of: rows, query: query, in: seen), last)
      }
      return FetchPage(
        made: page.0, count: page.1, end: page.2, lastKey: page.3, chain: chain)
    } count: {
      $0.count
    }
    noticeOthers()
    return page
  }

  private func end(
    of rows: RowSet, query: StoreQuery, in snapshot: Snapshot
  ) throws -> PageEnd? {
    guard !rows.isEmpty else { return nil }
    return try rows.withRows { rows in
      guard let last = rows.last else { return nil }
      let evaluation = RowEvaluation(SnapshotSource(snapshot))
      let values = try query.sort.map { key in
        try evaluation.values(key.expression, [last]).first ?? .null
      }
      return PageEnd(values: values, key: last.key)
    }
  }
}

extension Snapshot {
  /// The greatest key in a hierarchy, in the store and in the layers; 0 where there is none.
  /// - Complexity: One statement, which reads one row, and O(pending rows).
  fileprivate func greatestKey(of root: EntityLayout) throws -> Int64 {
    let pending = chain.layers.flatMap(\.changes.entities).lazy
      .filter { $0.entity.rootNumber == root.number }
      .compactMap { $0.inserted.lazy.map(\.key).max() }
    return max(try reader.greatestKey(of: root), pending.max() ?? 0)
  }
}

extension ManagedObjectContext {
  /// Lets go of the objects that nobody holds, between two pages of a long fetch.
  package func dropUnused() {
    // What is unsaved is kept; the rest is not.
    core.publisher.publish()
    guard core.event.objects.isEmpty else { return }
    core.registry.map.sweep()
    core.drafts.builder.dropFinishedBlocks()
  }
}
