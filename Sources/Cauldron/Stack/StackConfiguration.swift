import CauldronGraph
import CauldronModel
package import CauldronSQLite
public import CauldronStore
public import Dispatch
public import Foundation
public import Logging

/// How a stack opens its store, and where it reports.
public struct StackConfiguration: Sendable {
  /// What a commit waits for.
  public enum Synchronous: Sendable {
    /// Until the data are on the disk: a save that was reported survives a power cut.
    case full
    /// Until the operating system has the data: a power cut may take back the last saves, in
    /// order; a crash of the program does not.
    case normal
  }

  /// How the contexts hang together; `.writerRoot` by default.
  public var layout = StackLayout.writerRoot
  /// What a commit waits for; `.full` by default.
  public var synchronous = Synchronous.full
  /// How long to wait for a store that another process has locked, in seconds; 5 by default.
  public var busyTimeout = 5.0
  /// Whether the store is only read; false by default.
  ///
  /// Nothing is created then, and a save that has something to write ends with `store.readOnly`.
  /// Stores that keep a history or are mirrored with CloudKit can only be opened like this.
  public var readOnly = false
  /// What becomes of a store that another version of the model wrote; `.automatic` by default.
  public var migration = MigrationPolicy.automatic
  /// A store that the program brings along; where there is no store yet, it is copied into its place.
  ///
  /// ```swift
  /// configuration.seedURL = Bundle.main.url(forResource: "places", withExtension: "sqlite")
  /// ```
  /// A store that is there is left as it is. The copy is whole or not there at all, whatever happens
  /// meanwhile; it is a store like any other then, with the seed's UUID, and is migrated if need be.
  public var seedURL: URL?
  /// Whether a missing parent directory of the store is created; false by default.
  public var createDirectory = false
  /// After how many seconds a fetch is logged as slow, with its statement, its time and its
  /// rows; nil for never, 0.25 by default.
  public var slowFetch: Double? = 0.25
  /// After how many seconds a block of `Stack.read` is warned of in the log; nil for never, 5 by default.
  public var readWarning: Double? = 5
  /// After how many seconds a block of `Stack.read` loses its view of the store, so that what it reads then
  /// throws `store.readTooLong`; nil, the default, for never.
  public var readLimit: Double?
  /// The most pages that the file may grow to; nil for no limit. Serves tests of a full disk.
  package var maxPageCount: Int?
  /// The bytes that are free on the disk of the store, in place of what the system says; for tests.
  package var freeSpace: Int?
  /// What readers take of a statement, where it is less than SQLite's own limits; for tests.
  package var statementRoom: StatementRoom?
  /// Where saves are reported; by default a logger labelled "cauldron", which in a release build
  /// reports failures only.
  ///
  /// Where the program has bootstrapped no logging system, the default one writes to standard error, one
  /// line for each message: the time, the sentence and few data, control characters written out. A
  /// logger that the program makes itself is used as it is.
  ///
  /// At `info` each level of a save reports itself, and a save that has ended well says so; at `debug`
  /// each level also tells what it did and what merges took in, with entities and keys, and at `trace`
  /// each SQL statement is told with its rows and time.
  /// ``Stack/logLevel`` goes before the logger's own level.
  public var logger = Logger.standard
  /// Whether logs may show the values of properties, for conflicts and in SQL; false by default.
  public var showsValues = false
  package var main = MainQueue.standard

  /// A configuration with the defaults.
  public init() {}

  /// The queue that counts as "main", for programs whose main thread drains nothing; by default
  /// the main dispatch queue.
  public var mainQueue: DispatchQueue {
    get { main.queue }
    set { main = MainQueue(newValue) }
  }
}

/// How the contexts of a stack hang together: the four stacks that people compare.
public enum StackLayout: Sendable, Hashable, CaseIterable {
  /// A: one main context on the store. For small programs; everything runs on the main queue.
  case single
  /// B: the main context and background contexts side by side on the store; each takes in what the
  /// others save. For the least overhead.
  case siblings
  /// C: the main context on the store, background contexts as its children. A save to disk runs on
  /// the main queue.
  case mainParent
  /// D, the default: a private root context on the store, the main context as its child, and
  /// background contexts below. Nothing but the root touches the disk.
  case writerRoot
}

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
    options.didFindForeign = { names in
      let list = names.prefix(10).joined(separator: ", ")
      let rest = names.count > 10 ? " and \(names.count - 10) more" : ""
      logger.warning(
        "The store has what its model does not ask for, and what may change rows: \(list)\(rest)")
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

/// What becomes of a store that another version of the model wrote.
///
/// ```swift
/// configuration.migration = .automatic(discarding: ["Company"])
/// ```
public struct MigrationPolicy: Sendable, Hashable {
  /// What may be lost; nil where no store is changed.
  let discarding: Set<String>?
  /// Whether a store that cannot be used gives way to a new one.
  var recreates = false
  /// The program's own steps.
  var plan = MigrationPlan(steps: [])

  /// The store is brought over when it is opened, in one transaction. What would lose values throws
  /// `migration.wouldDiscard`, unless the model gives them up: `@Entity(discards: ["fax: String"])`.
  public static let automatic = MigrationPolicy(discarding: [])

  /// As `automatic`, and these may be lost: entities, as `Company`, and properties with their types, as
  /// `Person.fax: String`. Before anything is lost, the store is copied beside itself.
  public static func automatic(discarding: Set<String>) -> MigrationPolicy {
    MigrationPolicy(discarding: discarding)
  }

  /// The store is refused with `store.incompatibleModel`, and stays as it is.
  public static let never = MigrationPolicy(discarding: nil)

  /// As `automatic`; a store that cannot be brought over, or is damaged or no database, is moved
  /// aside as `people.set-aside.sqlite`, and a new one is made. For caches and for developing:
  /// nothing is deleted, but the program begins without its data. A damaged file that was written
  /// within the last second is waited for until the writes end, at most ten seconds: it may be on
  /// its way to its place.
  public static var backUpAndRecreate: MigrationPolicy {
    var policy = automatic
    policy.recreates = true
    return policy
  }

  /// As `automatic`, and the steps of a plan run that a store needs, in the same transaction. What a step
  /// discards may be lost in the migration that runs it. Before any step runs, the store is copied beside
  /// itself.
  /// - Parameters:
  ///   - plan: The steps. One that contradicts itself is refused with `migration.invalidPlan` before
  ///     anything is opened.
  ///   - discarding: What else may be lost.
  public static func plan(
    _ plan: MigrationPlan, discarding: Set<String> = []
  ) -> MigrationPolicy {
    MigrationPolicy(discarding: discarding, plan: plan)
  }

  var permission: MigrationPermission? {
    discarding.map { MigrationPermission(discarding: $0, plan: plan) }
  }
}
