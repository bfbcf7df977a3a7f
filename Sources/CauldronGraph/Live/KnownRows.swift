import CauldronList
import CauldronModel
import CauldronQuery
import CauldronStore

/// The rows that a context sees, as far as they are known without a statement.
final class KnownRows: RowSource {
  /// Something would have to be read.
  struct Unknown: Error {}

  private let coordinator: PersistentStoreCoordinator
  private let chain: LayerChain
  private let news: LiveNews
  private let listed: RowList
  private var builder = RowBuilder()
  /// Whether the row cache was asked, which must belong to the chain then.
  private(set) var hasAskedCache = false

  /// - Parameters:
  ///   - news: What has changed since the rows were listed.
  ///   - listed: The rows as they were before.
  init(
    _ coordinator: PersistentStoreCoordinator, _ chain: LayerChain, _ news: LiveNews,
    _ listed: RowList
  ) {
    self.coordinator = coordinator
    self.chain = chain
    self.news = news
    self.listed = listed
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    var result = RowSet()
    for key in keys {
      if let row = try row(key, of: entity) { result.append(row) }
    }
    return result
  }

  /// The keys of which it is known whether there are rows, and which.
  func known(among keys: Set<Int64>, of entity: EntityLayout) -> [Int64] {
    keys.filter { key in
      do {
        _ = try row(key, of: entity)
        return true
      } catch {
        return false
      }
    }
  }

  private func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    if news.isOwn, let known = listed.row(key) { return edited(known) }
    return try chain.compose(key, of: entity, &builder) {
      if let new = committed(key) { return new }
      hasAskedCache = true
      guard let known = coordinator.cache.entry(key, root: entity.rootNumber) else {
        throw Unknown()
      }
      return known
    }
  }

  /// A row that was inserted by a commit since, and changed by none: no cache has entered it.
  private func committed(_ key: Int64) -> HeldRow? {
    var row: HeldRow?
    for set in news.committed {
      switch set.change(key) {
      case .inserted(let new):
        // The store sets derived values.
        guard row == nil, set.entity.digest.derived.isEmpty else { return nil }
        row = new.held
      case .updated, .deleted: return nil
      case nil: continue
      }
    }
    return row
  }

  /// A listed row with the edits of its own context, which lie on top of all else.
  private func edited(_ known: RowPointer) -> HeldRow? {
    var row: RowPointer? = known
    for set in news.sets {
      switch set.change(known.key) {
      case .inserted(let new): row = new
      case .deleted: row = nil
      case .updated(let update):
        row = update.composed(onto: row, set.entity, &builder)
      case nil: break
      }
    }
    builder.close()
    return row?.held
  }

  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet { throw Unknown() }
}
