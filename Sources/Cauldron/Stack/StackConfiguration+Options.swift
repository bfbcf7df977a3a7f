import CauldronModel
import CauldronSQLite
import Foundation
import Logging

extension StackConfiguration {
  /// What the store is told.
  var storeOptions: SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.synchronous = synchronous == .full ? .full : .normal
    options.busyTimeout = busyTimeout
    options.readOnly = readOnly
    options.createDirectory = createDirectory
    options.maxPageCount = maxPageCount
    options.migration = migration.permission
    options.recreates = migration.recreates
    options.freeSpace = freeSpace
    options.statementRoom = statementRoom
    options.seed = seedURL
    options.tracesValues = showsValues
    report(&options)
    return options
  }

  /// Has the store log what it does.
  private func report(_ options: inout SQLiteStoreOptions) {
    let logger = logger.leveled
    options.isTracing = { logger.logLevel <= .trace }
    options.trace = { statement in
      guard logger.logLevel <= .trace else { return }
      var metadata: Logger.Metadata = [:]
      metadata.note(statement.rowCount, as: "rows")
      metadata.note(milliseconds: statement.milliseconds, as: "worked")
      logger.trace("\(statement.sql)", metadata: metadata)
    }
    options.didMigrate = { report in
      var metadata: Logger.Metadata = ["store": "\(report.store)"]
      metadata.note(report.rows, as: "rows")
      logger.notice("\(report)", metadata: metadata)
    }
    let showsValues = showsValues
    options.didSetAside = { place, error in
      let reason = showsValues ? "\(error)" : error.textWithoutValues
      logger.warning(
        "Set the store aside as \(place.lastPathComponent) and made a new one: \(reason)",
        metadata: ["moved": "\(place.path)"])
    }
    options.onProgress = MigrationLog(logger).note
  }
}

extension CauldronError {
  /// The error without the values that a migration has found.
  fileprivate var textWithoutValues: String {
    let problems = details.isEmpty ? [self] : details
    return problems.map { problem in
      guard [.migrationOutOfRange, .migrationNotUnique].contains(problem.code),
        let examples = problem.message.range(of: ", such as ")
      else { return "\(problem)" }
      return "\(problem.message[..<examples.lowerBound])."
    }.joined(separator: " ")
  }
}

/// Tells about each second how far a migration is that somebody waits for.
private final class MigrationLog: Sendable {
  private struct State {
    var last = ContinuousClock.now
    var hasTold = false
  }

  private let logger: Logger
  private let state = Locked(State())

  init(_ logger: Logger) { self.logger = logger }

  @Sendable func note(_ progress: MigrationProgress) {
    let isFirst = state.withLock { state -> Bool? in
      let now = ContinuousClock.now
      guard state.last.duration(to: now) >= .seconds(1) else { return nil }
      state.last = now
      defer { state.hasTold = true }
      return !state.hasTold
    }
    guard let isFirst else { return }
    let advice =
      isFirst
      ? ". To go on meanwhile: try await setupStack(storeURL:configuration:onMigration:)" : ""
    logger.notice("\(progress)\(advice)", metadata: ["store": "\(progress.store)"])
  }
}
