extension RowConnection {
  /// Prepares for reading; the file must be a store in WAL mode.
  func configureReader(_ options: SQLiteStoreOptions) throws {
    startTracing(options)
    try configureDefences()
    try execute("PRAGMA query_only = ON")
    try execute("PRAGMA cache_size = -16384")
    try registerPacking()
    try registerQueryFunctions()
    if let room = options.statementRoom { narrow(room) }
  }

  /// Prepares for writing: WAL, and an fsync for each commit unless `synchronous` is `.normal`
  /// (https://www.sqlite.org/pragma.html#pragma_synchronous).
  func configureWriter(_ options: SQLiteStoreOptions) throws {
    startTracing(options)
    try configureDefences()
    if !isReadOnly { try requireLog() }
    try execute("PRAGMA synchronous = \(options.synchronous == .full ? "FULL" : "NORMAL")")
    try execute("PRAGMA cache_size = -32768")
    try setMaxPageCount(options.maxPageCount)
    try registerPacking()
    try registerTriggerFunctions()
  }

  /// Begins or ends to report statements, as the options want it now; none may be running.
  func followTracing(_ options: SQLiteStoreOptions) {
    guard options.trace != nil, (options.isTracing?() ?? true) != (tracer != nil) else { return }
    if tracer == nil { startTracing(options) } else { stopTracing() }
  }

  private func startTracing(_ options: SQLiteStoreOptions) {
    guard let report = options.trace, options.isTracing?() ?? true else { return }
    let packer = packer
    startTracing(
      showsValues: options.tracesValues, gathered: { packer.pointee.gatheredCount($0) }, report)
  }
}
