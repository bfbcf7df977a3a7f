import CauldronList
import CauldronModel
import Foundation

extension LiveList {
  /// The most rows that are looked at on the owner's thread.
  private static var most: Int { 256 }

  /// How long the owner's thread waits for a step of the list's queue, in seconds: mostly that has only
  /// begun to look for the same changes.
  private static var patience: Double { 0.001 }

  /// Makes the list right on the thread of the context's owner, if nothing has to be read for it; the
  /// list's queue does it otherwise.
  func stepHere() {
    guard stepping.try() || stepping.lock(before: Date(timeIntervalSinceNow: Self.patience)) else {
      return
    }
    stepInline()
    stepping.unlock()
    for consumer in consumers { consumer.deliverHere() }
  }

  /// Called with `stepping` held.
  private func stepInline() {
    let (wanted, version, reader, hasEnded) = state.withLock {
      ($0.plan, $0.version, $0.reader, $0.hasEnded)
    }
    guard let reader, !hasEnded, let known = content, !known.isDoubtful, known.version == version,
      wanted.isLocal, wanted.includesPendingChanges
    else { return }
    let chain = ledger.view(of: node)
    guard !chain.overlapsCommit, let news = news(reader, upTo: chain.journalEnd, known.plan),
      !news.isEmpty, !news.isEverything, !news.isReset, news.count <= Self.most
    else { return }
    do {
      guard let (new, touched) = try follow(news, known, chain) else { return }
      ledger.withLock { ledger.journal.advance(reader, to: chain.journalEnd) }
      take(new, touched, isReload: false)
    } catch {
      // The list's queue finds out what is wrong.
    }
  }

  /// - Returns: Nil where something has to be read.
  private func follow(
    _ news: LiveNews, _ known: LiveContent, _ chain: LayerChain
  ) throws -> (LiveContent, [Int64])? {
    let plan = known.plan
    let source = KnownRows(coordinator, chain, news, known.rows)
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

extension EntityChanges {
  /// The keys of all rows that it touches.
  fileprivate var keys: [Int64] { inserted.map(\.key) + changedKeys }
}
