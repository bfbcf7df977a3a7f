internal import CSQLite
import CauldronModel
import CauldronStore

/// Tells how far a migration is, and ends it when it is asked to.
///
/// SQLite calls it in the middle of long statements (https://www.sqlite.org/c3ref/progress_handler.html),
/// on the thread of the migration; it is used by no other.
final class MigrationWatch {
  /// Steps of SQLite's machine between two looks: less than a millisecond.
  private static let interval: Int32 = 5_000

  private let store: String
  private let report: (@Sendable (MigrationProgress) -> Void)?
  private let isCancelled: (@Sendable () -> Bool)?
  private let start = ContinuousClock.now
  private var lastReport: ContinuousClock.Instant?
  private(set) var wasCancelled = false

  private var phase = MigrationProgress.Phase.checking
  private var rowsDone = 0
  private var rowsInAll = 0
  private var fraction = 0.0
  /// The statement that runs, which counts the rows that it passes.
  private var statement: OpaquePointer?
  /// How many statements of the last phase have run, and how many there are.
  private var finished = 0
  private var last = 0

  init(
    store: String, report: (@Sendable (MigrationProgress) -> Void)? = nil,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.store = store
    self.report = report
    self.isCancelled = isCancelled
  }

  /// Watches what runs on a connection while the body does.
  func watching<R>(_ connection: Connection, _ body: () throws -> R) rethrows -> R {
    guard report != nil || isCancelled != nil else { return try body() }
    sqlite3_progress_handler(
      connection.handle, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<MigrationWatch>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
    return try body()
  }

  /// Goes over to another phase.
  /// - Parameters:
  ///   - rows: The rows that the phase will write or pass.
  ///   - statements: The statements of the last phase, which pass no rows.
  func begin(_ phase: MigrationProgress.Phase, rows: Int = 0, statements: Int = 0) throws {
    self.phase = phase
    rowsInAll += rows
    last = statements
    send()
    try check()
  }

  /// Runs a statement of the phase.
  /// - Returns: The rows that it has changed.
  func run(_ prepared: Statement, on connection: Connection, countsRows: Bool) throws -> Int {
    try check()
    statement = countsRows ? prepared.handle : nil
    defer { statement = nil }
    try prepared.run()
    let rows = countsRows ? connection.changes : 0
    statement = nil
    if countsRows { try pass(rows) } else { finished += 1 }
    return rows
  }

  /// Counts rows that were written or passed.
  func pass(_ rows: Int) throws {
    rowsDone += rows
    if look() { throw cancelled }
  }

  /// - Throws: `migration.cancelled` where that was asked for.
  func check() throws {
    if isCancelled?() == true { wasCancelled = true }
    if wasCancelled { throw cancelled }
  }

  /// The error that a failure is: SQLite only says that it was interrupted.
  func error(_ failure: any Error) -> any Error { wasCancelled ? cancelled : failure }

  private var cancelled: CauldronError {
    CauldronError(
      .migrationCancelled, "The migration of \(store) was cancelled; the store is as it was.",
      hint: "Open it again to migrate it.")
  }

  /// Whether the migration shall end; reports where the last report is a while ago.
  private func look() -> Bool {
    if isCancelled?() == true { wasCancelled = true }
    if wasCancelled { return true }
    guard report != nil else { return false }
    if let lastReport, lastReport.duration(to: .now) < .milliseconds(50) { return false }
    send()
    return false
  }

  private func send() {
    guard let report else { return }
    let now = ContinuousClock.now
    lastReport = now
    let passing = statement.map {
      Int(sqlite3_stmt_status($0, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
    }
    // Keys that are gone were counted, too.
    let rows = min(rowsDone + (passing ?? 0), max(rowsInAll, rowsDone))
    fraction = max(fraction, part(rows))
    let elapsed = start.duration(to: now)
    let seconds = elapsed / .seconds(1)
    report(
      MigrationProgress(
        store: store, phase: phase, rowsDone: rows, rowsInAll: max(rowsInAll, rows),
        fraction: fraction,
        secondsLeft: fraction > 0.1 ? seconds * (1 - fraction) / fraction : nil))
  }

  /// How much is done. The parts of the phases are what a table of a million rows takes, about.
  private func part(_ rows: Int) -> Double {
    switch phase {
    case .checking: 0
    case .copying: 0.05
    case .writing, .step: 0.1 + 0.6 * Double(rows) / Double(max(rowsInAll, rows, 1))
    case .finishing: 0.7 + 0.29 * Double(min(finished, last)) / Double(max(last, 1))
    }
  }
}
