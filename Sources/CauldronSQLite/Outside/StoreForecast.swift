package import CauldronModel
package import CauldronStore
package import Foundation

/// Says what opening a store would do to it, without writing to it or beside it.
package struct StoreForecast {
  private let file: StoreFile
  private let model: ManagedObjectModel
  private let options: SQLiteStoreOptions

  package init(url: URL, model: ManagedObjectModel, options: SQLiteStoreOptions) {
    file = StoreFile(url)
    self.model = model
    self.options = options
  }

  /// Makes the forecast; costs about thirty statements, one for each table, a scan of each table that
  /// loses something, and what it takes to ask the values whether they fit.
  package func make() -> MigrationForecast {
    let before = state
    let forecast = make(isQuiet: !file.hasSpaceForLog)
    // Somebody has written meanwhile, whom the first look has not waited for.
    return state == before ? forecast : make(isQuiet: false)
  }

  /// What changes when somebody writes.
  private var state: [Int?] {
    [file.size, StoreFile(URL(filePath: file.path + "-wal")).size, file.modificationTime]
  }

  private func make(isQuiet: Bool) -> MigrationForecast {
    var forecast = MigrationForecast(store: file.url.lastPathComponent)
    do {
      try fill(&forecast, isQuiet: isQuiet)
    } catch let error as CauldronError {
      forecast.problems.append(error)
    } catch let failure as SQLiteFailure {
      forecast.problems.append(FailureReport(failure, file, options).opening())
    } catch {
      forecast.problems.append(file.error("\(error)"))
    }
    return forecast
  }

  private func fill(_ forecast: inout MigrationForecast, isQuiet: Bool) throws {
    let opener = StoreOpener(file: file, model: model, options: options)
    let planned = try StoreSchema(model: model)
    try opener.refuseExternalData()
    // A journal is left for the program that opens the store.
    let inspector = StoreInspector(
      file: file, busyTimeout: options.busyTimeout, isReadOnly: true)
    guard case .store(let metadata, let follower) = try inspector.inspect() else { return }
    if let follower, !options.readOnly { forecast.problems.append(opener.refusal(of: follower)) }
    let isOther = !metadata.differences(from: model).isEmpty
    guard isOther || opener.hasSteps(metadata) else { return }
    if options.migration == nil { try opener.check(metadata, against: planned) }
    let connection = try RowConnection(
      path: file.path, mode: isQuiet ? .immutable : .readOnly, busyTimeout: options.busyTimeout)
    try connection.configureDefences()
    let migration = opener.migration(on: connection, to: planned)
    let (report, statements) = try migration.prospect(metadata)
    forecast.isNeeded = !report.isEmpty
    forecast.steps = report.steps
    forecast.skippedSteps = report.skippedSteps
    forecast.changes = report.changes.map(\.description)
    forecast.losses = report.losses
    forecast.problems += report.problems
    let space = migration.space(for: statements, report)
    (forecast.rows, forecast.bytes) = try (space.rows(), space.bytes(of: migration.tables()))
    forecast.problems += try opener.obstacles(to: migration, space)
  }
}

extension StoreFile {
  /// When the file was written last, in nanoseconds.
  fileprivate var modificationTime: Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
  }
}
