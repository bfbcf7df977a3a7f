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

  private func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    if news.isOwn, let known = listed.row(key) { return edited(known) }
    return try chain.compose(key, of: entity, &builder) {
      guard let known = coordinator.cache.entry(key, root: entity.rootNumber) else {
        throw Unknown()
      }
      return known
    }
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
