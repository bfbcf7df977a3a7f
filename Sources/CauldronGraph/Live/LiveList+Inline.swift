import CauldronList
import CauldronModel
import Foundation

extension LiveList {
  /// The most rows that are looked at on the owner's thread.
  private static var most: Int { 256 }

  /// Makes the list right on the thread of the context's owner, if nothing has to be read for it and
  /// nobody else is at it; the list's queue does it otherwise.
  func stepHere() {
    guard stepping.try() else { return }
    let isDone = stepInline()
    stepping.unlock()
    guard isDone else { return }
    for consumer in consumers { consumer.deliverHere() }
  }

  /// Called with `stepping` held.
  /// - Returns: Whether the list has changed.
  private func stepInline() -> Bool {
    let (wanted, version, reader, hasEnded) = state.withLock {
      ($0.plan, $0.version, $0.reader, $0.hasEnded)
    }
    guard let reader, !hasEnded, let known = content, !known.isDoubtful, known.version == version,
      wanted.isLocal, wanted.includesPendingChanges
    else { return false }
    let chain = ledger.view(of: node)
    guard !chain.overlapsCommit, let news = news(reader, upTo: chain.journalEnd, known.plan),
      !news.isEmpty, !news.isEverything, !news.isReset, news.count <= Self.most
    else { return false }
    do {
      guard let (new, touched) = try follow(news, known, chain) else { return false }
      ledger.withLock { ledger.journal.advance(reader, to: chain.journalEnd) }
      take(new, touched, isReload: false)
      return true
    } catch {
      // The list's queue finds out what is wrong.
      return false
    }
  }

  /// - Returns: Nil where something has to be read.
  private func follow(
    _ news: LiveNews, _ known: LiveContent, _ chain: LayerChain
  ) throws -> (LiveContent, [Int64])? {
    let plan = known.plan
    let source = KnownRows(coordinator, chain)
    let keys = Array(Set(news.sets.flatMap(\.keys) + news.rows.flatMap(\.keys)))
    var rows = known.rows
    let touched: [Int64]
    do {
      let found = try source.rows(keys, of: plan.query.entity)
      touched = try apply(keys, found, to: &rows, plan, source)
    } catch is KnownRows.Unknown {
      return nil
    }
    // The cache may have gone on since the layers were taken.
    guard ledger.cacheBelongs(to: chain), !rows.needsRefill else { return nil }
    return (LiveContent(rows: rows, plan: plan, version: known.version), touched)
  }
}

/// The rows that a context sees, as far as they are known without a statement.
final class KnownRows: RowSource {
  /// Something would have to be read.
  struct Unknown: Error {}

  private let coordinator: PersistentStoreCoordinator
  private let chain: LayerChain
  private var builder = RowBuilder()

  init(_ coordinator: PersistentStoreCoordinator, _ chain: LayerChain) {
    self.coordinator = coordinator
    self.chain = chain
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    var result = RowSet()
    for key in keys {
      let row = try chain.compose(key, of: entity, &builder) {
        guard let known = coordinator.cache.entry(key, root: entity.rootNumber) else {
          throw Unknown()
        }
        return known
      }
      if let row { result.append(row) }
    }
    return result
  }

  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet { throw Unknown() }
}

extension EntityChanges {
  /// The keys of all rows that it touches.
  fileprivate var keys: [Int64] { inserted.map(\.key) + changedKeys }
}
