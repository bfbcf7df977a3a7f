import CauldronModel

/// Opens or creates a store: first a look that writes nothing, then the writer.
struct StoreOpener {
  let file: StoreFile
  let model: ManagedObjectModel
  let options: SQLiteStoreOptions

  /// What an open store needs to know.
  struct Opened {
    let writer: Connection
    let schema: StoreSchema
    let metadata: StoreMetadata
  }

  /// Opens the file; costs about ten statements and one for each table.
  func open() throws -> Opened {
    let planned = try StoreSchema(model: model)
    do {
      let found = try StoreInspector(file: file, busyTimeout: options.busyTimeout).inspect()
      guard case .store(let metadata) = found else { return try create(planned) }
      try check(metadata)
      let connection = try Connection(
        path: file.path, mode: .readWrite, busyTimeout: options.busyTimeout)
      return try finish(connection, planned, metadata)
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, file.name, options.busyTimeout).opening(file)
    }
  }

  private func create(_ planned: StoreSchema) throws -> Opened {
    let connection = try Connection(
      path: file.path, mode: .create, busyTimeout: options.busyTimeout)
    try connection.setMaxPageCount(options.maxPageCount)
    let metadata = try StoreCreator(connection: connection, file: file, schema: planned).create()
    try check(metadata)
    return try finish(connection, planned, metadata)
  }

  private func finish(
    _ connection: Connection, _ planned: StoreSchema, _ metadata: StoreMetadata
  ) throws -> Opened {
    switch try SchemaCheck(connection: connection, planned: planned).resolve() {
    case .success(let schema):
      try connection.configureWriter(options)
      return Opened(writer: connection, schema: schema, metadata: metadata)
    case .failure(let mismatch):
      throw CauldronError(
        .storeCorrupt, "Cannot open store \"\(file.path)\": \(mismatch.what).",
        hint: "Run `cauldron verify`."
      ).with { $0.path = file.path }
    }
  }

  private func check(_ metadata: StoreMetadata) throws {
    let entities = metadata.differences(from: model)
    guard !entities.isEmpty else { return }
    let writer = metadata.versionIdentifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    throw CauldronError(
      .storeIncompatibleModel,
      "Cannot open \"\(file.name)\" with model \"\(model.name)\": entities that differ: "
        + "\(entities.joined(separator: ", ")).",
      hint: "Migrate, or open with the model that wrote it\(writer.isEmpty ? "" : " (\(writer))")."
    ).with { $0.path = file.path }
  }
}
