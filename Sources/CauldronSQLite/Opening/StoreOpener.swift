import CauldronModel
import CauldronStore
import Foundation

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
    if !isOther || options.migration == nil { try check(metadata, against: planned) }
    if let follower, !options.readOnly { throw refusal(of: follower) }
    if isOther || hasSteps(metadata) { return nil }
    let connection = try RowConnection(
      path: file.path, mode: options.mode, busyTimeout: options.busyTimeout)
    return try finish(connection, planned: planned, metadata: metadata)
  }

  var inspector: StoreInspector {
    StoreInspector(
      file: file, busyTimeout: options.busyTimeout, isReadOnly: options.readOnly)
  }

  private func create(_ planned: StoreSchema) throws -> Opened {
    // Before there is a file.
    try refuseUncomputed(planned, to: "make store")
    let connection = try RowConnection(
      path: file.path, mode: .create, busyTimeout: options.busyTimeout)
    try connection.setMaxPageCount(options.maxPageCount)
    let steps = options.migration?.plan.steps.map(\.name) ?? []
    let metadata = try StoreCreator(
      connection: connection, file: file, schema: planned, steps: steps
    ).create()
    try check(metadata, against: planned)
    return try finish(connection, planned: planned, metadata: metadata)
  }

  func finish(
    _ connection: RowConnection, planned: StoreSchema, metadata: StoreMetadata
  ) throws -> Opened {
    let version = try connection.schemaVersion()
    // Another program may have migrated the store since it was looked at; later ones show by the number.
    var metadata = metadata
    if let now = try StoreMetadata.present(connection) {
      try check(now, against: planned)
      metadata.restoration = now.restoration
    }
    let schema = try SchemaCheck(connection: connection, planned: planned)
      .resolved(to: "open store", file.path)
    let foreign = try ForeignObjects(connection: connection, schema: schema).names()
    if !foreign.isEmpty { options.didFindForeign?(foreign) }
    try connection.configureWriter(options)
    MissingIndexes(connection: connection, schema: schema).create()
    try MissingTriggers(connection: connection, schema: schema).create()
    try refuseUnknownFunctions(on: connection, of: schema)
    return Opened(
      writer: connection, schema: schema, metadata: metadata,
      schemaVersion: version,
      lacksCopy: try !ModelCopy(connection: connection).isThere
        && !model.entityLayouts.contains(where: \.isPartial))
  }
}

extension StoreOpener {
  /// Whether steps of the program are not recorded in a store of the present model. A store that is only
  /// read may do without those that it does not need.
  func hasSteps(_ metadata: StoreMetadata) -> Bool {
    guard let plan = options.migration?.plan else { return false }
    let steps = plan.selection(metadata.steps, in: model)
    return options.readOnly ? !steps.due.isEmpty : !steps.unrecorded.isEmpty
  }

  /// Brings the store over to the model, and opens it.
  func migrate(_ planned: StoreSchema) throws -> Opened {
    guard !options.readOnly else { throw readOnlyRefusal }
    // The triggers of another program would go with the former tables.
    try refuseUncomputed(planned, to: "migrate store")
    let connection = try RowConnection(
      path: file.path, mode: options.mode, busyTimeout: options.busyTimeout)
    // SQLite opens for reading what it may not write.
    if connection.isReadOnly { throw obstacleRefusal }
    try connection.configureDefences()
    try connection.setMaxPageCount(options.maxPageCount)
    let (metadata, report) = try migration(on: connection, to: planned).run()
    if let report { options.didMigrate?(report) }
    return try finish(connection, planned: planned, metadata: metadata)
  }

  /// The migration to the model, over a connection that reads or writes.
  func migration(on connection: RowConnection, to planned: StoreSchema) -> StoreMigration {
    StoreMigration(
      connection: connection, file: file, planned: planned,
      permission: options.migration ?? MigrationPermission(),
      watch: MigrationWatch(
        store: file.url.lastPathComponent, report: options.onProgress,
        isCancelled: options.isCancelled),
      freeSpace: options.freeSpace ?? file.freeSpace
    ) { [file] connection in
      guard case .store(let metadata, _) = try StoreInspector.read(connection, of: file) else {
        return nil
      }
      return metadata
    }
  }

  /// What is in the way of a migration beside models and values: the file, and room on the disk.
  func obstacles(to migration: StoreMigration, _ space: MigrationSpace) throws -> [CauldronError] {
    if options.readOnly { return [readOnlyRefusal] }
    if file.writingObstacle != nil { return [obstacleRefusal] }
    do {
      try space.check(migration.freeSpace)
      return []
    } catch let error as CauldronError {
      return [error]
    }
  }

  /// The error of a store of another model that is only to be read.
  var readOnlyRefusal: CauldronError {
    CauldronError(
      .migrationReadOnly,
      "Cannot open store \"\(file.path)\": it was written with another model or needs a step of the"
        + " plan, and readOnly changes nothing.",
      hint: "Open it once without readOnly, or with the model that wrote it."
    ).with { $0.path = file.path }
  }

  /// The error of a store of another model that may only be read.
  private var obstacleRefusal: CauldronError {
    CauldronError(
      .migrationReadOnly,
      "Cannot open store \"\(file.path)\": it was written with another model or needs a step of the"
        + " plan, and \(file.writingObstacle ?? "it can only be read").",
      hint: "Make it writable, or open it with the model that wrote it."
    ).with { $0.path = file.path }
  }
}

extension StoreOpener {
  /// Opens the file; where it cannot be used and the options say so, it is moved aside, and a new store is
  /// made in its place.
  func openOrRecreate() throws -> Opened {
    let identity = file.identity
    do {
      return try open()
    } catch let error as CauldronError where isUseless(error) {
      // Who copies a store to its place may pause between two pieces of it.
      guard error.code.saysDamaged, file.waitUntilQuiet() else {
        return try recreate(identity, after: error)
      }
    }
    do {
      return try open()
    } catch let error as CauldronError where isUseless(error) {
      return try recreate(identity, after: error)
    }
  }

  private func isUseless(_ error: CauldronError) -> Bool {
    options.recreates && !options.readOnly && error.code.saysUseless
  }

  private func recreate(_ identity: StoreFile.Identity?, after error: CauldronError) throws
    -> Opened
  {
    // Another process may have been quicker.
    if file.identity == identity {
      let place = try file.setAside()
      options.didSetAside?(place, error)
    }
    return try open()
  }
}

extension CauldronError.Code {
  /// Whether what was read makes no sense, which it may do later.
  fileprivate var saysDamaged: Bool { [.storeNotADatabase, .storeCorrupt].contains(self) }

  /// Whether the store, such as it is, can never be opened with the model: neither now nor later.
  fileprivate var saysUseless: Bool {
    switch self {
    case .storeNotADatabase, .storeCorrupt, .storeIncompatibleModel: true
    case .migrationWouldDiscard, .migrationCannotInfer, .migrationNoSource, .migrationMissingValue,
      .migrationNotUnique, .migrationOutOfRange:
      true
    default: false
    }
  }
}

extension StoreOpener {
  /// Refuses to write to stores that may have values in files beside them, which are read only.
  func refuseExternalData() throws {
    if options.readOnly { return }
    for layout in model.entityLayouts {
      for property in layout.properties {
        guard case .attribute(let attribute) = property.description, attribute.hasColumn,
          attribute.allowsExternalBinaryDataStorage
        else { continue }
        throw CauldronError(
          .storeUnsupported,
          "Cannot open store \"\(file.path)\": \(layout.name).\(attribute.name) may have its"
            + " values in files beside it (allowsExternalBinaryDataStorage), which are read and not"
            + " written.",
          hint:
            "Set readOnly in the configuration, or leave the flag out of the model of a new store."
        ).with {
          $0.path = file.path
          $0.entity = layout.name
          $0.property = attribute.name
        }
      }
    }
  }

  /// Refuses to make a store of a model with derived attributes that this library does not compute.
  /// - Parameter act: What cannot be done.
  func refuseUncomputed(_ planned: StoreSchema, to act: String) throws {
    if let partial = model.entityLayouts.first(where: \.isPartial) {
      throw CauldronError(
        .storeUnsupported,
        "Cannot \(act) \"\(file.path)\": \(partial.name) has a property that is not"
          + " understood.", hint: "Use the program that has this model."
      ).with {
        $0.path = file.path
        $0.entity = partial.name
      }
    }
    guard let (entity, property) = planned.uncomputed.first else { return }
    throw CauldronError(
      .storeUnsupported,
      "Cannot \(act) \"\(file.path)\": \(entity.name).\(property.name) is derived from"
        + " \"\(property.derivation ?? "")\", which is not computed here.",
      hint: "Derive it from rel.@count, rel.@sum.attribute, rel.attribute, attribute,"
        + " uppercase:, lowercase: or canonical:(attribute) or now(), or set it."
    ).with {
      $0.path = file.path
      $0.entity = entity.name
      $0.property = property.name
    }
  }

  /// Refuses to write to a store whose triggers call what SQLite does not know here: no save could succeed.
  func refuseUnknownFunctions(on connection: Connection, of schema: StoreSchema) throws {
    if connection.isReadOnly || schema.derived.isEmpty && schema.uncomputed.isEmpty { return }
    for table in schema.tables where !table.isJoin {
      do {
        // What is prepared and not run says whether it could run, triggers included.
        for sql in [
          "INSERT INTO \(table.sqlName) DEFAULT VALUES", "DELETE FROM \(table.sqlName)",
          "UPDATE \(table.sqlName) SET Z_OPT = Z_OPT",
        ] {
          _ = try Statement(connection.handle, sql)
        }
      } catch let failure as SQLiteFailure where failure.message.hasPrefix("no such function") {
        throw CauldronError(
          .storeUnsupported,
          "Cannot open store \"\(file.path)\": its triggers need \(failure.message.dropFirst(8)),"
            + " which only the program that made it has.",
          hint: "Set readOnly in the configuration to read it."
        ).with { $0.path = file.path }
      }
    }
  }

  /// The error of a store that others follow.
  func refusal(of follower: StoreInspector.Follower) -> CauldronError {
    let what =
      follower.isCloud
      ? "it is mirrored with CloudKit (table \(follower.table)), which would not learn of saves"
      : "it keeps a history (table \(follower.table)), in which saves would be missing"
    return CauldronError(
      .storeUnsupported, "Cannot open store \"\(file.path)\": \(what).",
      hint: "Set readOnly in the configuration to read it."
    ).with { $0.path = file.path }
  }

  /// The error of a file that has no write-ahead log, without which readers wait for writers.
  func refusal(of log: LogRefusal) -> CauldronError {
    file.error(
      "its file system takes no write-ahead log; the journal mode stays \"\(log.mode)\".",
      hint: "Put it on a local disk.")
  }

  /// Refuses a store of another model, with what differs.
  func check(_ metadata: StoreMetadata, against planned: StoreSchema) throws {
    guard !metadata.differences(from: model).isEmpty else { return }
    // Whatever keeps the tables from being read shall not hide the reason.
    let tables = (try? inspector.tables()) ?? [:]
    let differences = ModelComparison(metadata, planned, tables).differences()
    let writer = metadata.versionIdentifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    throw CauldronError(
      .storeIncompatibleModel,
      "Cannot open \"\(file.path)\" with model \"\(model.name)\": entities that differ:",
      list: differences.map(\.description),
      hint: "Open it with the model that wrote it\(writer.isEmpty ? "" : " (\(writer))")."
    ).with {
      $0.path = file.path
      $0.entity = differences.first?.entity
      $0.property = differences.first?.properties.first?.name
    }
  }
}
