import CauldronGraph
package import CauldronSQLite
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
