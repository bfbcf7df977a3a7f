import CauldronModel

/// Opens or creates a store: first a look that writes nothing, then the writer.
struct StoreOpener {
  let file: StoreFile
  let model: ManagedObjectModel
  let options: SQLiteStoreOptions

  /// What an open store needs to know.
  struct Opened {
    let writer: RowConnection
    let schema: StoreSchema
    let metadata: StoreMetadata
    /// The number of the file's schema in which its tables were found to be the model's.
    let schemaVersion: Int64
    /// Whether the file has no copy of its model, which the first save writes.
    let lacksCopy: Bool
  }

  /// Opens the file; costs about ten statements and one for each table.
  func open() throws -> Opened {
    let planned = try StoreSchema(model: model)
    try refuseExternalData()
    do {
      return try file.undisturbed(within: options.busyTimeout) { try open(planned) }
        ?? migrate(planned)
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, file, options).opening()
    } catch let refusal as LogRefusal {
      throw self.refusal(of: refusal)
    }
  }

  /// - Returns: Nil for a store that is to be migrated.
  private func open(_ planned: StoreSchema) throws -> Opened? {
    guard case .store(let metadata, let follower) = try inspector.inspect() else {
      if options.readOnly { throw file.error("there is no store yet, and readOnly makes none.") }
      return try create(planned)
    }
    let isOther = !metadata.differences(from: model).isEmpty
    if !isOther || options.migration == nil { try check(metadata, planned) }
    if let follower, !options.readOnly { throw refusal(of: follower) }
    if isOther || hasSteps(metadata) { return nil }
    let connection = try RowConnection(
      path: file.path, mode: options.mode, busyTimeout: options.busyTimeout)
    return try finish(connection, planned, metadata)
  }

  var inspector: StoreInspector {
    StoreInspector(
      file: file, busyTimeout: options.busyTimeout, isReadOnly: options.readOnly)
  }

  private func create(_ planned: StoreSchema) throws -> Opened {
    let connection = try RowConnection(
      path: file.path, mode: .create, busyTimeout: options.busyTimeout)
    try connection.setMaxPageCount(options.maxPageCount)
    let steps = options.migration?.plan.steps.map(\.name) ?? []
    let metadata = try StoreCreator(
      connection: connection, file: file, schema: planned, steps: steps
    ).create()
    try check(metadata, planned)
    return try finish(connection, planned, metadata)
  }

  func finish(
    _ connection: RowConnection, _ planned: StoreSchema, _ metadata: StoreMetadata
  ) throws -> Opened {
    let version = try connection.schemaVersion()
    // Another program may have migrated the store since it was looked at; later ones show by the number.
    var metadata = metadata
    if let now = try StoreMetadata.present(connection) {
      try check(now, planned)
      metadata.restoration = now.restoration
    }
    switch try SchemaCheck(connection: connection, planned: planned).resolve() {
    case .success(let schema):
      try connection.configureWriter(options)
      MissingIndexes(connection: connection, schema: schema).create()
      try MissingTriggers(connection: connection, schema: schema).create()
      return Opened(
        writer: connection, schema: schema, metadata: metadata,
        schemaVersion: version, lacksCopy: try !ModelCopy(connection: connection).isThere)
    case .failure(let mismatch):
      throw CauldronError(
        mismatch.code, "Cannot open store \"\(file.path)\": \(mismatch.what).", hint: mismatch.hint
      ).with { $0.path = file.path }
    }
  }
}
