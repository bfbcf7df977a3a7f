import CauldronModel
import Foundation

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
    let connection = try RowConnection(
      path: file.path, mode: options.mode, busyTimeout: options.busyTimeout)
    // SQLite opens for reading what it may not write.
    if connection.isReadOnly { throw obstacleRefusal }
    try connection.configureDefences()
    try connection.setMaxPageCount(options.maxPageCount)
    let (metadata, report) = try migration(connection, planned).run()
    if let report { options.didMigrate?(report) }
    return try finish(connection, planned, metadata)
  }

  /// The migration to the model, over a connection that reads or writes.
  func migration(_ connection: RowConnection, _ planned: StoreSchema) -> StoreMigration {
    StoreMigration(
      connection: connection, file: file, planned: planned,
      permission: options.migration ?? MigrationPermission(),
      watch: MigrationWatch(
        store: file.url.lastPathComponent, report: options.onProgress,
        isCancelled: options.isCancelled),
      freeSpace: options.freeSpace ?? file.freeSpace
    ) { [file] connection in
      guard case .store(let metadata, _) = try StoreInspector.read(connection, file) else {
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
