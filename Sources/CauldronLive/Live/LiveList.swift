import CauldronGraph
import CauldronLedger
import CauldronList
import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch
import Foundation

/// The result of a query in a context, kept right: it equals what a fetch there would return.
///
/// It is told by the journal which rows have changed, and looks at these, and no others, as of one
/// instant. It does so on a queue of its own; only where the context's owner has just changed a few rows,
/// and nothing has to be read, on the owner's thread.
///
/// `@unchecked Sendable` because `content` and `generation` are only touched with `stepping` held, and the
/// rest is behind a lock or never changes.
final class LiveList: LiveResult, @unchecked Sendable {
  /// Kept, so that the list has something to be right about.
  let context: ManagedObjectContext
  let coordinator: PersistentStoreCoordinator
  let node: LedgerNode
  let queue = DispatchQueue(label: "cauldron.list", qos: .userInitiated)
  /// Held while another content is taken over, and during a step that was overtaken before.
  let stepping = NSLock()
  var content: LiveContent?
  /// Grows with each step that has come to an end, and whenever the list's place in the journal moves.
  var generation = 0
  let state: Locked<State>

  struct State {
    /// What is to be shown; the last one that was asked for wins.
    var plan: LivePlan
    /// Grows with each other plan.
    var version = 0
    var consumers: [WeakConsumer] = []
    /// The list's number as a reader of the journal.
    var reader: Int?
    /// What can matter to what it holds; nil where it is to hold something else.
    var watch: LiveWatch?
    var isQueued = false
    /// Whether it steps anyway when the earliest moment for a fetch has come.
    var isTimed = false
    /// Whether the step that holds the lock may take a while.
    var isLong = false
    /// Whether a consumer may have to be told of its content.
    var isUntold = false
    var hasEnded = false
    /// The earliest moment for another fetch of everything, because others write all the time.
    var nextFetch = DispatchTime.now()
    var failure: CauldronError?
  }

  struct WeakConsumer {
    weak var consumer: (any ListConsumer)?
  }

  init(_ plan: LivePlan, in context: ManagedObjectContext) {
    self.context = context
    coordinator = context.core.coordinator
    node = context.core.node
    state = Locked(State(plan: plan))
    LiveLists.add(self, on: coordinator)
  }

  deinit {
    leaveJournal()
    var rows = content?.rows
    content = nil
    LiveList.letGo(&rows)
  }

  /// Frees elsewhere what may be many rows; nothing of them is left here.
  static func letGo<Rows: Sendable>(_ rows: inout Rows?) {
    guard rows != nil else { return }
    let leaving = Leaving(rows)
    rows = nil
    reclaimer.async { leaving.rows = nil }
  }

  /// Values that are to be freed elsewhere. In a box: who had them last here might still hold them when
  /// they are let go there, and would free them himself then.
  ///
  /// `@unchecked Sendable` because nobody but the reclaimer touches it once it is made.
  private final class Leaving<Rows: Sendable>: @unchecked Sendable {
    var rows: Rows?

    init(_ rows: Rows?) { self.rows = rows }
  }

  var ledger: ChangeLedger { coordinator.ledger }

  /// Whether the context's queue does the context's work, and not a thread or task that has claimed
  /// it.
  var isQueueRun: Bool { context.core.ownership.isQueueRun }

  /// What went wrong last; nil once the list is right again.
  var failure: CauldronError? { state.withLock { $0.failure } }

  /// Whether the store was closed.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Those who want to know, as long as they are there.
  var consumers: [any ListConsumer] {
    state.withLock { $0.consumers.compactMap(\.consumer) }
  }

  func add(_ consumer: any ListConsumer) {
    state.withLock { state in
      state.consumers.removeAll { $0.consumer == nil }
      state.consumers.append(WeakConsumer(consumer: consumer))
    }
  }

  /// Has the list show another result.
  /// - Returns: The number that the result will have.
  func setPlan(_ plan: LivePlan) -> Int {
    state.withLock { state in
      state.plan = plan
      state.version += 1
      state.watch = nil
      return state.version
    }
  }

  /// The contexts whose layers a plan may see. Called with the ledger's lock held.
  func uncheckedPath(_ plan: LivePlan) -> LivePath {
    plan.includesPendingChanges ? node.uncheckedPath : LivePath()
  }

  /// The list's number as a reader of the journal, which it becomes with its first fetch. Called with
  /// `stepping` held.
  func reader() -> Int {
    if let known = state.withLock({ $0.reader }) { return known }
    let made = ledger.withLock { ledger.journal.addReader() }
    state.withLock { $0.reader = made }
    coordinator.watchOthers()
    return made
  }

  private func leaveJournal() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    guard let reader else { return }
    let ledger = ledger
    ledger.withLock { ledger.journal.removeReader(reader) }
    coordinator.stopWatchingOthers()
  }

  /// The store is closed.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      state.failure = .closed()
    }
    leaveJournal()
    for consumer in consumers { consumer.fail(.closed()) }
  }

  /// Steps soon, on the list's queue.
  func stepSoon() {
    let isFirst = state.withLock { state in
      defer { state.isQueued = true }
      return !state.isQueued
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.isQueued = false }
      step()
    }
  }
}

// What is asked by those that have lists step.
extension LiveList {
  /// Its number as a reader of the journal, and what can matter to what it holds; nil without a first fetch.
  var reading: (reader: Int, watch: LiveWatch?)? {
    state.withLock { state in state.reader.map { ($0, state.watch) } }
  }

  /// Whether a consumer may have to be told at the end of an event: always where a thread or task
  /// has claimed the context.
  var isUntold: Bool { state.withLock { $0.isUntold } || !isQueueRun }

  /// Whether something has changed that may matter; the list's reader goes on where nothing has.
  var isBehind: Bool {
    guard let reader = state.withLock({ $0.reader }) else { return false }
    // A step that is under way reads the journal itself, but maybe not far enough.
    guard stepping.try() else { return true }
    defer { stepping.unlock() }
    // What could never be fetched is tried again when somebody asks.
    guard let content else { return false }
    if state.withLock({ $0.version }) != content.version { return true }
    return ledger.withLock {
      let path = uncheckedPath(content.plan)
      let end = ledger.journal.end
      guard let entries = ledger.journal.entries(reader, upTo: end) else { return true }
      let news = LiveNews(
        entries, content.plan.watch, node, path, isAhead: content.isAhead)
      if !news.isEmpty { return true }
      ledger.journal.advance(reader, to: end)
      // A step that reads just now has begun before.
      generation += 1
      return false
    }
  }
}

/// What a list holds, and what it was asked for.
struct LiveContent {
  var rows: RowList
  let plan: LivePlan
  let version: Int
  /// Whether something has gone wrong since, so that the changes are unknown.
  var isDoubtful = false
  /// Whether changes have used up the rows behind the window, so that it has to be fetched again.
  var isShort = false
  /// Whether it has a part of what the journal tells behind the list's place there.
  var isAhead = false
}

/// Rows as they are now, for a list to take in.
struct FoundRows {
  /// Holds the memory of the changes' rows.
  private let rows: RowSet
  let changes: [RowList.Change]

  /// Looks how the rows with some keys are now.
  init(_ keys: [Int64], by plan: LivePlan, from source: some RowSource) throws {
    rows = try source.rows(keys, of: plan.query.entity)
    changes = try rows.withRows { all in
      let selected =
        try plan.selector.map { all.filter($0.selects) }
        ?? GraphMatcher(plan.query, source).select(Array(all))
      let columns = try plan.columns(selected, from: source)
      var changes = selected.enumerated().map { position, row in
        RowList.Change.some(row, columns.map { $0[position] })
      }
      let present = Set(selected.map(\.key))
      for key in keys where !present.contains(key) { changes.append(.none(key)) }
      return changes
    }
  }

  /// Tells a list of them. Called with the list's `stepping` held, or for a list that was just made.
  /// - Returns: The keys whose rows are others now, and maybe more.
  func apply(to list: inout RowList) throws -> [Int64] {
    try withExtendedLifetime(rows) { try sectioned { try list.apply(changes) } }
  }
}

extension ManagedObjectContext {
  /// Runs a block as an event of the context, after the work on its queue; a thread or task that
  /// has claimed the context has given it up before.
  func runSoon(_ body: @escaping @Sendable () -> Void) {
    core.ownership.queue.async { [self] in core.publisher.runEvent(body) }
  }
}

extension LedgerNode {
  /// The contexts whose layers it may see. Called with the ledger's lock held.
  var uncheckedPath: LivePath {
    let chain = ancestors + [self]
    return LivePath(
      nodes: Set(chain.map(ObjectIdentifier.init)), isWhole: chain.allSatisfy(\.readsUncommitted))
  }
}

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
