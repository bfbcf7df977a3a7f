internal import CSQLite

/// A statement that has run, for whoever wants to be told.
package struct TracedStatement: Sendable {
  /// The text; with its values where these were asked for.
  package let sql: String
  /// The rows that it read or wrote.
  package let rowCount: Int
  /// How long it ran, from its first step to its end.
  package let milliseconds: Double
}

extension Connection {
  /// Has every statement reported from now on. Without this, statements cost nothing more.
  /// - Parameter gathered: The rows that a statement has gathered in one step, by its text; nil for
  ///   one that gives each of its rows.
  func startTracing(
    showsValues: Bool, gathered: @escaping (_ sql: String) -> Int?,
    _ report: @escaping @Sendable (TracedStatement) -> Void
  ) {
    let tracer = StatementTracer(showsValues: showsValues, gathered: gathered, report)
    self.tracer = tracer
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW),
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        let tracer = Unmanaged<StatementTracer>.fromOpaque(context).takeUnretainedValue()
        if event == UInt32(SQLITE_TRACE_ROW) {
          tracer.noteRow()
        } else {
          tracer.noteEnd(of: OpaquePointer(statement), after: detail)
        }
        return 0
      }, Unmanaged.passUnretained(tracer).toOpaque())
  }

  /// Statements are not reported any more; none may be running.
  func stopTracing() {
    sqlite3_trace_v2(handle, 0, nil, nil)
    tracer = nil
  }
}

/// Counts the rows of a connection's statements and reports each that ends.
final class StatementTracer {
  private let showsValues: Bool
  private let gathered: (_ sql: String) -> Int?
  private let report: @Sendable (TracedStatement) -> Void
  private var rows = 0
  private var changes: Int32?

  init(
    showsValues: Bool, gathered: @escaping (_ sql: String) -> Int?,
    _ report: @escaping @Sendable (TracedStatement) -> Void
  ) {
    self.showsValues = showsValues
    self.gathered = gathered
    self.report = report
  }

  fileprivate func noteRow() { rows += 1 }

  fileprivate func noteEnd(of statement: OpaquePointer, after nanoseconds: UnsafeMutableRawPointer?)
  {
    let time = nanoseconds?.load(as: Int64.self) ?? 0
    let sql = text(statement)
    report(
      TracedStatement(
        sql: sql, rowCount: rowCount(of: statement, sql: sql),
        milliseconds: (Double(time) / 1_000).rounded() / 1_000))
    rows = 0
    changes = sqlite3_total_changes(sqlite3_db_handle(statement))
  }

  private func rowCount(of statement: OpaquePointer, sql: String) -> Int {
    if sqlite3_stmt_readonly(statement) == 0 {
      let total = sqlite3_total_changes(sqlite3_db_handle(statement))
      return Int(total &- (changes ?? 0))
    }
    return gathered(sql) ?? rows
  }

  private func text(_ statement: OpaquePointer) -> String {
    if showsValues, let expanded = sqlite3_expanded_sql(statement) {
      defer { sqlite3_free(expanded) }
      return String(cString: expanded)
    }
    return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}
