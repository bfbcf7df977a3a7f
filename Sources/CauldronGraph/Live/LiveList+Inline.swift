import CauldronList
import CauldronModel
import CauldronQuery
import CauldronStore
import Foundation

extension LiveList {
  /// The most rows that are looked at on the owner's thread.
  private static var most: Int { 256 }

  /// Makes the list right on the thread of the context's owner, if nothing has to be read for it; the
  /// list's queue does it otherwise.
  /// - Parameter limit: How long the thread waits for a step of the list's queue: mostly that has only
  ///   begun to look for the same changes.
  func stepHere(before limit: Date) {
    guard stepping.try() || mayWait && stepping.lock(before: limit) else { return }
    let isWhole = stepInline()
    stepping.unlock()
    // What the objects have not met waits for the event in which they do.
    guard isWhole, context.core.inbox.isEmpty else { return }
    // Before they are told: what comes meanwhile is told later.
    state.withLock { $0.isUntold = false }
    for consumer in consumers { consumer.deliverHere() }
  }

  /// Whether there is something new, and the step that runs will soon be over.
  private var mayWait: Bool {
    let (reader, isFetching) = state.withLock { ($0.reader, $0.isFetching) }
    guard let reader, !isFetching else { return false }
    return ledger.withLock {
      ledger.journal.entries(reader, upTo: ledger.journal.end).map { !$0.isEmpty } ?? false
    }
  }

  /// Called with `stepping` held.
  /// - Returns: Whether the objects have met all that the list shows.
  private func stepInline() -> Bool {
    let (wanted, version, reader, hasEnded) = state.withLock {
      ($0.plan, $0.version, $0.reader, $0.hasEnded)
    }
    guard let reader, !hasEnded, let known = content, !known.isDoubtful, known.version == version,
      wanted.isLocal, wanted.includesPendingChanges
    else { return true }
    let chain = ledger.view(of: node)
    guard context.core.inbox.isEmpty else { return false }
    guard !chain.overlapsCommit, let news = news(reader, upTo: chain.journalEnd, known.plan),
      !news.isEmpty, !news.isReset, news.count <= Self.most
    else { return true }
    do {
      guard let (new, touched) = try follow(news, known, chain) else { return true }
      // What others have written is read later, and the own edits looked at once more then.
      if !news.isEverything {
        ledger.withLock { ledger.journal.advance(reader, to: chain.journalEnd) }
      }
      take(new, touched, isReload: false)
      if new.rows.isLoose { stepSoon() }
    } catch {
      // The list's queue finds out what is wrong.
    }
    return true
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
      touched = try apply(keys, to: &rows, plan, source)
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
