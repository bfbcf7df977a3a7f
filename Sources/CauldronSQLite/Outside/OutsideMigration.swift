package import CauldronModel
package import CauldronStore
package import Foundation

/// Brings a store over to a model that came from a file, without the program that the store belongs to.
///
/// The program's own steps are not known here: what needs them is refused as it would be without.
package struct OutsideMigration {
  private let examination: StoreExamination
  private let model: ManagedObjectModel
  private var permission: MigrationPermission

  /// - Parameters:
  ///   - url: Where the store lies.
  ///   - discarding: What may be lost: entities, as `Company`, and properties with their types, as
  ///     `Person.fax: String`.
  ///   - copying: Whether the store is copied even where nothing is lost.
  package init(
    _ url: URL, to model: ManagedObjectModel, discarding: Set<String> = [],
    copying: Bool = false
  ) {
    examination = StoreExamination(url)
    self.model = model
    permission = MigrationPermission(discarding: discarding)
    permission.copies = copying
  }

  private var file: StoreFile { examination.file }

  /// The report of a migration that is not run, with its rows and obstacles. Reads only.
  /// - Returns: Nil where the store has the model already.
  package func forecast() throws -> MigrationReport? {
    try examination.reading { connection, metadata, follower in
      try refuse(follower)
      if metadata.differences(from: model).isEmpty { return nil }
      let migration = try migration(connection)
      var (report, plan, _) = try migration.prepare(metadata)
      let space = migration.space(for: plan, report)
      report.rows = try space.rows()
      report.problems += try opener.obstacles(to: migration, space)
      return report
    }
  }

  /// Does it all in one transaction, as a program that opens the store would.
  /// - Parameter onProgress: Is told how far it is.
  /// - Returns: What was done; nil where there was nothing to do.
  package func run(
    onProgress: (@Sendable (MigrationProgress) -> Void)? = nil
  ) throws -> MigrationReport? {
    try check()
    let done = Locked<MigrationReport?>(nil)
    var options = options
    options.onProgress = onProgress
    options.didMigrate = { report in done.withLock { $0 = report } }
    _ = try StoreOpener(file: file, model: model, options: options).open()
    return done.withLock { $0 }
  }

  /// Does it all in one transaction, looks through the result, and takes everything back.
  /// - Returns: What was done, and what would be wrong with the store after it; nil where there was
  ///   nothing to do.
  package func trial() throws -> (report: MigrationReport, findings: [StoreFinding])? {
    try check()
    do {
      let connection = try RowConnection(
        path: file.path, mode: .readWrite, busyTimeout: options.busyTimeout)
      try connection.configureDefences()
      var findings: [StoreFinding] = []
      let isForeign = try ModelCopy(connection: connection).isForeign
      var migration = try migration(connection)
      migration.trial = { metadata in
        var verification = StoreVerification(connection: connection, metadata: metadata)
        verification.model = model
        verification.isForeign = isForeign
        findings = try verification.findings()
      }
      return try migration.run().1.map { ($0, findings) }
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, file, options).opening()
    }
  }

  private var opener: StoreOpener { StoreOpener(file: file, model: model, options: options) }

  private var options: SQLiteStoreOptions {
    var options = SQLiteStoreOptions(busyTimeout: examination.busyTimeout)
    options.migration = permission
    return options
  }

  private func migration(_ connection: RowConnection) throws -> StoreMigration {
    opener.migration(on: connection, to: try StoreSchema(model: model))
  }

  /// Makes sure that there is a store, which opening would make.
  private func check() throws {
    try examination.reading { _, _, follower in try refuse(follower) }
  }

  private func refuse(_ follower: StoreInspector.Follower?) throws {
    try opener.refuseExternalData()
    guard let follower else { return }
    let error = opener.refusal(of: follower)
    throw CauldronError(
      error.code, error.message, hint: "Migrate it with Core Data, which tells the others."
    ).with { $0.path = file.path }
  }
}
