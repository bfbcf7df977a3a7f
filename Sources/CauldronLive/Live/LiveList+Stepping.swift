import CauldronLedger
import CauldronList
import CauldronModel
import CauldronQuery
import Dispatch
import Foundation

extension LiveList {
  /// Makes the list right again, and has it told.
  ///
  /// Rows are read without the lock: the owner of the context never waits for a read, and can show
  /// its latest changes. They are taken in with the lock, because a list and its copies share
  /// memory to which one thread at a time may add. A step that was overtaken begins anew, at last
  /// with the list to itself.
  /// - Parameter isAwaited: Whether somebody waits, so that it is never too early.
  func step(isAwaited: Bool = false) {
    if isAwaited { fetchAtOnce() }
    if !(0..<4).contains(where: { _ in stepNow(isAlone: false) }) {
      stepping.withLock { long { _ = (0..<4).contains { _ in stepNow(isAlone: true) } } }
    }
    for consumer in consumers { consumer.prepare() }
  }

  private func fetchAtOnce() { state.withLock { $0.nextFetch = .now() } }

  /// - Parameter isAlone: Whether `stepping` is held.
  /// - Returns: Whether it has come to an end; not where another step was quicker.
  private func stepNow(isAlone: Bool) -> Bool {
    if state.withLock({ $0.hasEnded }) { return true }
    let before = withContent(isAlone: isAlone) { generation }
    do {
      guard let isRight = try catchUp(isAlone) else {
        // What was fetched is not shown.
        fetchAtOnce()
        return false
      }
      if isRight { state.withLock { $0.failure = nil } }
      return true
    } catch {
      return withContent(isAlone: isAlone) {
        guard generation == before else { return false }
        fail(CauldronError.wrap(error))
        return true
      }
    }
  }

  /// Has the owner of the context not wait for what may take a while. Called with `stepping` held.
  private func long<R>(_ body: () throws -> R) rethrows -> R {
    let before = state.withLock { state in
      defer { state.isLong = true }
      return state.isLong
    }
    defer { state.withLock { $0.isLong = before } }
    return try body()
  }

  private func withContent<R>(isAlone: Bool, body: () throws -> R) rethrows -> R {
    try isAlone ? body() : stepping.withLock(body)
  }

  /// Called with `stepping` held.
  private func fail(_ error: CauldronError) {
    content?.isDoubtful = true
    let isNews = state.withLock { state in
      defer { state.failure = error }
      return state.failure?.code != error.code
    }
    // Nobody is told of the same twice.
    guard isNews else { return }
    for consumer in consumers { consumer.fail(error) }
  }

  /// - Returns: Whether the list is right now; it may have to wait for that. Nil where another step was
  ///   quicker.
  private func catchUp(_ isAlone: Bool) throws -> Bool? {
    while true {
      let (plan, version) = state.withLock { ($0.plan, $0.version) }
      let exchanged = ledger.provisional.exchangeCount
      let (reader, known, isLoose, before) = withContent(isAlone: isAlone) {
        (self.reader(), content, content?.rows.isLoose ?? false, generation)
      }
      let outcome = try read(plan.followed(ledger.provisional)) { snapshot, plan in
        let pass = Pass(
          known: known, isLoose: isLoose, plan: plan, version: version, snapshot: snapshot)
        return try self.step(pass, reader: reader)
      }
      // Keys of the query's own objects may have changed meanwhile.
      guard exchanged == ledger.provisional.exchangeCount else { continue }
      // Of several that are asked for in a row the last one is shown.
      guard state.withLock({ $0.version }) == version else { continue }
      let isTaken = try withContent(isAlone: isAlone) {
        guard generation == before else { return false }
        return try outcome.isBrief
          ? finish(outcome, reader: reader) : long { try finish(outcome, reader: reader) }
      }
      guard isTaken else { return nil }
      if state.withLock({ $0.version }) == version { return !outcome.isTooEarly }
    }
  }

  private func read<R>(
    _ plan: LivePlan, body: (Snapshot, LivePlan) throws -> R
  ) throws -> R {
    if coordinator.isClosed { throw CauldronError.closed() }
    return try coordinator.read(for: node) { snapshot in
      try body(plan.includesPendingChanges ? snapshot : snapshot.withoutLayers, plan)
    }.0
  }

  /// What a step has led to.
  struct Outcome {
    var content: LiveContent?
    /// Rows that the list before has yet to take in, for this plan.
    var found: (rows: FoundRows, plan: LivePlan)?
    var touched: [Int64] = []
    /// The keys of objects that were touched, in the list or not.
    var owners: Set<Int64> = []
    var isReload = false
    /// How far the journal was read.
    var end: UInt64
    /// Whether it is too early for another fetch.
    var isTooEarly = false

    /// Whether it is taken in within a moment: few rows, and no code of the program that names sections.
    var isBrief: Bool {
      touched.count <= 1_000 && owners.count <= 1_000
        && found.map { $0.rows.changes.count <= 1_000 && !$0.plan.runsCode } ?? true
    }
  }

  /// From what a step begins, and what the list is to show in the end.
  private struct Pass {
    /// The content before.
    let known: LiveContent?
    /// Whether it had better be made anew, in less memory.
    let isLoose: Bool
    let plan: LivePlan
    /// The plan's version.
    let version: Int
    /// What the list's context sees now.
    let snapshot: Snapshot

    /// How far the journal is to be read.
    var end: UInt64 { snapshot.chain.instant.journalEnd }
  }

  private func step(_ pass: Pass, reader: Int) throws -> Outcome {
    guard let known = pass.known, known.version == pass.version else { return try fetch(pass) }
    let news = news(of: reader, upTo: pass.end, for: known, plan: pass.plan)
    var step = try step(pass, from: known, news: news)
    step.owners = pass.plan.watch.owners(in: news?.members ?? [])
    return step
  }

  private func step(
    _ pass: Pass, from known: LiveContent, news: LiveNews?
  ) throws -> Outcome {
    if known.isShort { return try fetch(pass) }
    if known.isDoubtful {
      return isTooEarly ? Outcome(end: pass.end, isTooEarly: true) : try fetch(pass)
    }
    guard let news else { return try fetch(pass) }
    if news.isEmpty {
      return Outcome(content: pass.isLoose ? try compacted(known) : nil, end: pass.end)
    }
    if news.isEverything || news.isReset {
      if !news.isReset, isTooEarly { return Outcome(end: pass.end, isTooEarly: true) }
      var step = try fetch(pass)
      if news.isReset { step.isReload = true }
      return step
    }
    if news.count > max(known.rows.count, 10_000) { return try fetch(pass) }
    return try follow(news, from: known, in: pass)
  }

  /// The same rows in less memory.
  private func compacted(_ known: LiveContent) throws -> LiveContent {
    LiveContent(
      rows: try sectioned { try known.rows.compacted() }, plan: known.plan, version: known.version)
  }

  /// Whether another fetch of everything has to wait.
  private var isTooEarly: Bool { DispatchTime.now() < state.withLock { $0.nextFetch } }

  /// What the journal tells, up to a position; nil where it was too much.
  func news(
    of reader: Int, upTo end: UInt64, for known: LiveContent, plan: LivePlan
  ) -> LiveNews? {
    ledger.withLock {
      ledger.journal.entries(reader, upTo: end).map {
        LiveNews($0, plan.watch, node, uncheckedPath(plan), isAhead: known.isAhead)
      }
    }
  }

  /// Looks at the rows that may have turned.
  private func follow(
    _ news: LiveNews, from known: LiveContent, in pass: Pass
  ) throws -> Outcome {
    let source = SnapshotSource(pass.snapshot)
    let steps = StepKeys(
      sets: news.sets, passing: news.passing, rows: news.rows, source: source)
    let keys: [Int64]
    do {
      keys = Array(try steps.keys(pass.plan.reach))
    } catch is StepKeys.OwnersUnknown {
      return try fetch(pass)
    }
    if keys.count > max(known.rows.count / 2, 10_000) { return try fetch(pass) }
    let found = try FoundRows(keys, by: pass.plan, from: source)
    guard pass.isLoose else { return Outcome(found: (found, pass.plan), end: pass.end) }
    // A list that is made anew has memory of its own.
    var content = try compacted(known)
    let touched = try found.apply(to: &content.rows)
    if content.rows.needsRefill { return try fetch(pass) }
    let new = LiveContent(rows: content.rows, plan: pass.plan, version: pass.version)
    return Outcome(content: new, touched: touched, end: pass.end)
  }

  /// Asks for the result anew.
  private func fetch(_ pass: Pass) throws -> Outcome {
    let plan = pass.plan
    let began = DispatchTime.now()
    // Whoever writes all the time leaves four fifths of the time to others; so does what always fails.
    defer {
      let now = DispatchTime.now().uptimeNanoseconds
      state.withLock { state in
        let pause = 4 * (now - began.uptimeNanoseconds)
        state.nextFetch = DispatchTime(uptimeNanoseconds: now + pause)
      }
    }
    var builder = RowBuilder()
    let found = try pass.snapshot.fetch(plan.firstQuery, builder: &builder)
    let columns = try found.withRows {
      try plan.columns(Array($0), from: SnapshotSource(pass.snapshot))
    }
    let rows = try sectioned {
      try RowList(found, columns, plan.window, plan.rows)
    }
    var step = Outcome(
      content: LiveContent(rows: rows, plan: plan, version: pass.version), end: pass.end)
    if let known = pass.known, known.plan.order == plan.order {
      step.touched = rows.snapshot.keys(differingFrom: known.rows.snapshot)
    } else {
      step.isReload = true
    }
    return step
  }

  /// Steps when the earliest moment for another fetch has come.
  private func stepInTime() {
    let deadline = state.withLock { state -> DispatchTime? in
      defer { state.isTimed = true }
      return state.isTimed ? nil : state.nextFetch
    }
    guard let deadline else { return }
    queue.asyncAfter(deadline: deadline) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isTimed = false }
      step()
    }
  }

  /// Called with `stepping` held.
  /// - Returns: Whether that was all; not where the rows behind a window are used up.
  private func finish(_ step: Outcome, reader: Int) throws -> Bool {
    if step.isTooEarly {
      stepInTime()
      return true
    }
    let isFirst = content == nil
    // In this order: once the journal is seen to be read, the list must show its changes.
    if let (found, plan) = step.found, let known = content {
      var rows = known.rows
      let touched = try found.apply(to: &rows)
      if rows.needsRefill {
        content?.isShort = true
        return false
      }
      let new = LiveContent(rows: rows, plan: plan, version: known.version)
      take(new, touched: touched, owners: step.owners, isReload: false)
      if rows.isLoose { stepSoon() }
    }
    if let new = step.content {
      take(new, touched: step.touched, owners: step.owners, isReload: step.isReload)
    }
    content?.isAhead = false
    generation += 1
    let hasMore = ledger.withLock {
      ledger.journal.advance(reader, to: step.end)
      return ledger.journal.end > step.end
    }
    // Before its first result a list is never said to be behind.
    if isFirst, hasMore { stepSoon() }
    return true
  }

  /// Shows another state to the consumers. Called with `stepping` held.
  /// - Parameters:
  ///   - touched: The keys whose rows are others now, and maybe more.
  ///   - owners: The keys of objects to tell as updated, in the list or not.
  func take(
    _ new: LiveContent, touched: [Int64], owners: Set<Int64>, isReload: Bool
  ) {
    let version = content?.version
    if content?.rows.count ?? 0 > 1_000 { LiveList.letGo(&self.content) }
    content = new
    generation += 1
    state.withLock { state in
      if state.version == new.version { state.watch = new.plan.watch }
    }
    let touches = ListTouches(rows: touched, owners: owners.filter { new.rows.row($0) != nil })
    if touches.isEmpty, !isReload, version == new.version { return }
    let snapshot = new.rows.snapshot
    for consumer in consumers {
      consumer.note(snapshot, touched: touches, isReload: isReload, version: new.version)
    }
    state.withLock { $0.isUntold = true }
  }
}
