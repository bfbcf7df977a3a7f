import CauldronLedger
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

  /// The keys of which it is not known whether there are rows, and which.
  func unknown(among keys: Set<Int64>, of entity: EntityLayout) -> Set<Int64> {
    keys.filter { key in
      do {
        _ = try row(key, of: entity)
        return false
      } catch {
        return true
      }
    }
  }

  private func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    var edited: HeldRow?
    if news.isOwn, let known = listed.row(key), edit(known, into: &edited) { return edited }
    return try chain.compose(key, of: entity, builder: &builder) {
      // No store has a row with such a key.
      if key < 0 { return nil }
      if let new = committed(key) { return new }
      hasAskedCache = true
      guard let known = coordinator.cache.entry(key, root: entity.rootNumber) else {
        throw Unknown()
      }
      return known
    }
  }

  /// A row that was inserted by a commit since, and changed by none, nor by a batch: no cache has entered it.
  private func committed(_ key: Int64) -> HeldRow? {
    guard news.rows.isEmpty else { return nil }
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

  /// Makes of a listed row what the edits of its own context have made of it, which lie on top of all else.
  /// - Returns: Whether the row is the one that was edited: a save may have merged the edits with another.
  private func edit(_ known: RowPointer, into result: inout HeldRow?) -> Bool {
    var row: RowPointer? = known
    defer { builder.close() }
    for set in news.sets {
      switch set.change(known.key) {
      case .inserted(let new): row = new
      case .deleted: row = nil
      case .updated(let update):
        if let row, !isBase(row, of: update, set.entity) { return false }
        row = update.composed(onto: row, of: set.entity, builder: &builder)
      case nil: break
      }
    }
    result = row?.held
    return true
  }

  /// Whether a row is as an update found it, but for what that changes.
  private func isBase(_ row: RowPointer, of update: RowUpdate, _ entity: EntityLayout) -> Bool {
    row.difference(from: update.row, entity).subtracting(update.changed).isEmpty
  }

  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet { throw Unknown() }
}
