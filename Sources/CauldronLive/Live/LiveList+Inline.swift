import CauldronGraph
import CauldronLedger
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
  ///
  /// The thread waits for another step only while that takes a moment, however long a busy processor makes
  /// the moment.
  func stepHere() {
    guard takeTurn() else { return }
    let isMet = stepInline()
    stepping.unlock()
    // What the objects have not met waits for the event in which they do.
    guard isMet, context.core.inbox.isEmpty else { return }
    // Before they are told: what comes meanwhile is told later.
    state.withLock { $0.isUntold = false }
    for consumer in consumers { consumer.deliverHere() }
  }

  private func takeTurn() -> Bool {
    while !stepping.try() {
      guard mayWait else { return false }
      if stepping.lock(before: Date(timeIntervalSinceNow: 0.001)) { return true }
    }
    return true
  }

  /// Whether there is something new, or to tell, and the step that runs will soon be over.
  private var mayWait: Bool {
    let (reader, isLong, isUntold) = state.withLock { ($0.reader, $0.isLong, $0.isUntold) }
    guard let reader, !isLong else { return false }
    if isUntold { return true }
    return ledger.withLock {
      ledger.journal.entries(reader, upTo: ledger.journal.end).map { !$0.isEmpty } ?? false
    }
  }

  /// Called with `stepping` held.
  /// - Returns: Whether the objects have met all that the list shows.
  private func stepInline() -> Bool {
    for _ in 0..<4 { if let isMet = tryInline() { return isMet } }
    return true
  }

  /// - Returns: As ``stepInline()``; nil where a commit was quicker.
  private func tryInline() -> Bool? {
    let (wanted, version, reader, hasEnded) = state.withLock {
      ($0.plan, $0.version, $0.reader, $0.hasEnded)
    }
    guard let reader, !hasEnded, let known = content, !known.isDoubtful, !known.isShort,
      known.version == version, wanted.isLocal, wanted.includesPendingChanges
    else { return true }
    let chain = ledger.view(of: node)
    guard context.core.inbox.isEmpty else { return false }
    guard let news = news(of: reader, upTo: chain.instant.journalEnd, for: known, plan: known.plan),
      !news.isEmpty, !news.isReset, news.count <= Self.most, news.memberCount <= Self.most
    else { return true }
    do {
      guard let step = try follow(news, known: known, over: chain) else {
        return ledger.cacheBelongs(to: chain) ? true : nil
      }
      // What others have written is read later, and the own edits looked at once more then.
      let isWhole = step.isWhole && !news.isEverything
      if isWhole {
        ledger.withLock { ledger.journal.advance(reader, to: chain.instant.journalEnd) }
      }
      var content = step.content
      content.isAhead = !isWhole
      // The step that reads the rest tells of owners.
      let owners = isWhole ? known.plan.watch.owners(in: news.members) : []
      take(content, touched: step.touched, owners: owners, isReload: false)
      if step.content.rows.isLoose || !step.isWhole { stepSoon() }
    } catch {
      // The list's queue finds out what is wrong.
    }
    return true
  }

  /// What rows that are known without a statement have made of the list.
  private struct InlineStep {
    let content: LiveContent
    let touched: [Int64]
    /// Whether no other row has to be looked at.
    let isWhole: Bool
  }

  /// - Returns: Nil where nothing is known of which an instant consists.
  private func follow(
    _ news: LiveNews, known: LiveContent, over chain: LayerChain
  ) throws -> InlineStep? {
    let plan = known.plan.followed(ledger.provisional)
    guard plan.exchangeCount == chain.instant.exchangeCount else { return nil }
    let source = KnownRows(coordinator, chain, news, known.rows)
    let all = news.keys
    let unknown = source.unknown(among: all, of: plan.query.entity)
    // An object that has become another one would be listed under both keys.
    if !unknown.isEmpty, known.plan.exchangeCount != chain.instant.exchangeCount { return nil }
    let keys = news.knownKeys(among: all, unknown: unknown)
    // Of an edit of members alone nothing has to be looked at.
    if keys.isEmpty, !all.isEmpty { return nil }
    let found: FoundRows
    do {
      found = try FoundRows(keys, by: plan, from: source)
    } catch is KnownRows.Unknown {
      return nil
    }
    // The cache may have gone on since the layers were taken.
    guard !source.hasAskedCache || ledger.cacheBelongs(to: chain) else { return nil }
    var rows = known.rows
    let touched = try found.apply(to: &rows)
    if rows.needsRefill { return nil }
    return InlineStep(
      content: LiveContent(rows: rows, plan: plan, version: known.version), touched: touched,
      isWhole: keys.count == all.count)
  }
}
