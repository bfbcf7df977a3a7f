internal import CSQLite
import CauldronModel
import CauldronQuery
import Foundation

/// What readers and writers of an open store share; nothing of it changes but the count of what others
/// commit.
///
/// A class, so that a reader, which each fault borrows, takes one retain for all of it.
final class StoreFacts: Sendable {
  let file: StoreFile
  /// Which file it was when it was opened.
  private let identity: StoreFile.Identity?
  let identifier: String
  let storeNumber: Int32
  let options: SQLiteStoreOptions
  let schema: StoreSchema
  let plans: PackPlans
  /// The number of the file's schema when it was opened.
  let schemaVersion: Int64
  /// Names the last time that a copy of the store was restored before it was opened.
  let restoration: String?
  /// Counts foreign commits, while the store is watched.
  let foreign = ForeignCommits()

  init(
    file: StoreFile, identifier: String, storeNumber: Int32, options: SQLiteStoreOptions,
    schema: StoreSchema, plans: PackPlans, schemaVersion: Int64, restoration: String? = nil
  ) {
    self.restoration = restoration
    self.schemaVersion = schemaVersion
    self.file = file
    identity = file.identity
    self.identifier = identifier
    self.storeNumber = storeNumber
    self.options = options
    self.schema = schema
    self.plans = plans
  }

  var closed: CauldronError {
    CauldronError(.stackClosed, "The store \"\(file.path)\" was closed.")
      .with { $0.path = file.path }
  }

  func id(_ key: Int64, in entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
  }

  /// The number that an entity has in the file.
  func number(of entity: EntityLayout) -> Int64 { Int64(schema.number(of: entity)) }

  /// How the rows of a query are packed.
  func plan(_ query: StoreQuery) -> PackPlan {
    query.includesSubentities ? plans.family(query.entity) : plans.single(query.entity)
  }

  /// An object as errors name it.
  func name(_ key: Int64, in entity: EntityLayout) -> NamedObject {
    NamedObject(id(key, in: entity), entity: entity.name, store: identifier)
  }

  /// The object of a row whose `Z_ENT` was read; of `entity` where that is no number of the model.
  func name(_ key: Int64, number: Int64, in entity: EntityLayout) -> NamedObject {
    name(key, in: schema.layout(fileNumber: number) ?? entity)
  }

  func report(_ failure: SQLiteFailure) -> FailureReport {
    FailureReport(failure, file, options)
  }

  /// The error of a file that is no longer where it was opened, or not that one; nil where it is.
  ///
  /// Costs one call of the system. What is written through the open connections would be lost with
  /// the file that only they still have.
  var missing: CauldronError? {
    let found = file.identity
    if found == identity { return nil }
    let what =
      found == nil
      ? "the file was deleted or moved after it was opened"
      : "another file is in the place of the one that was opened"
    return CauldronError(
      .storeFileGone, "Cannot use store \"\(file.path)\": \(what).",
      hint: "Put it back, or call Stack.cleanUp() and set the stack up again."
    ).with { $0.path = file.path }
  }
}

extension StoreFacts {
  /// The error of a read: what the packing found, or else what SQLite said.
  func readingError(
    _ failure: SQLiteFailure, packing: PackFailure?, in entity: EntityLayout
  ) -> CauldronError {
    guard failure.primary == SQLITE_MISMATCH, let packing else {
      return report(failure).reading(entity.name)
    }
    return error(packing, in: entity)
  }

  /// The error of a row that cannot be decoded.
  func error(_ failure: PackFailure, in entity: EntityLayout) -> CauldronError {
    switch failure {
    case .badCell(let key, let number, let property, let expected, let found):
      let layout = schema.model.layout(number: number) ?? entity
      if layout.isJoin { return badLink(in: layout, end: property, found: found) }
      let name = layout.properties[property].name
      return CauldronError(
        .storeBadValue,
        "Cannot read \(layout.name).\(name) of x-coredata://\(identifier)/\(layout.name)/p\(key):"
          + " expected \(expected), found \(found)."
      ).with {
        $0.entity = layout.name
        $0.property = name
        $0.objectIDs = [id(key, in: layout)]
        $0.path = file.path
      }
    case .unknownEntity(let key, let found):
      return badRow(
        key, in: entity, saying: "has the entity number \(found), which no entity of its table has")
    case .badVersion(let key, let number, let found):
      return badRow(
        key, in: schema.model.layout(number: number) ?? entity,
        saying: "has the version \(found), which is not from 0 to \(RowPointer.greatestVersion)")
    case .badKey(let key):
      return CauldronError(
        .storeCorrupt,
        "Cannot read \(entity.name) in \"\(file.path)\": a row has the key \(key), and keys count from 1.",
        hint: file.rescue
      ).with {
        $0.entity = entity.name
        $0.path = file.path
      }
    case .tooLarge(let key):
      return badRow(key, in: entity, saying: "is larger than 4 GiB")
    }
  }

  private func badLink(in join: EntityLayout, end: Int, found: String) -> CauldronError {
    let column = schema.sqlName(join.properties[end], of: join)
    return CauldronError(
      .storeCorrupt,
      "Cannot read \(join.name) in \"\(file.path)\": in \(schema.table(of: join).name), \(column) is"
        + " no key that an object can have (found \(found)).", hint: file.rescue
    ).with { $0.path = file.path }
  }

  private func badRow(_ key: Int64, in entity: EntityLayout, saying what: String) -> CauldronError {
    CauldronError(
      .storeBadValue, "Cannot read \(entity.name) in \"\(file.path)\": row \(key) \(what)."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [id(key, in: entity)]
      $0.path = file.path
    }
  }
}

/// Notices that another program has brought the store over to another model, or has restored a copy of
/// it, while it is open here.
///
/// Plans for the old tables would read nonsense, and write nonsense for other programs: the numbers
/// of entities, for instance, have changed. Each migration changes the number of the file's schema;
/// so do harmless things, such as an index that is made, and the hashes tell these apart.
extension StoreFacts {
  /// Checks the tables if another connection has written since they were last known to be the
  /// model's; must come right after a read or before a write.
  ///
  /// Costs nothing where nothing was written, else one statement; two more where the schema has
  /// changed.
  /// - Throws: `store.incompatibleModel`, and SQLite's errors.
  @inline(__always)
  func checkTables(_ connection: Connection) throws {
    if connection.hasMetChange { try recheckTables(connection) }
  }

  /// Checks the tables of a connection that is new.
  func checkNew(_ connection: Connection) throws {
    connection.knownSchema = schemaVersion
    try recheckTables(connection)
  }

  @inline(never)
  private func recheckTables(_ connection: Connection) throws {
    let now = try connection.schemaVersion()
    if now != connection.knownSchema, let error = try migrated(connection) { throw error }
    connection.noteChecked(now)
  }

  /// Why a statement failed, if it is because the tables have changed.
  func reasonOfFailure(_ connection: Connection) -> CauldronError? {
    connection.hasMetChange ? (try? migrated(connection)) ?? nil : nil
  }

  private func migrated(_ connection: Connection) throws -> CauldronError? {
    guard let now = try StoreMetadata.present(connection) else { return nil }
    let names = now.differences(from: schema.model)
    if names.isEmpty { return now.restoration == restoration ? nil : restored }
    return CauldronError(
      .storeIncompatibleModel,
      "Cannot use store \"\(file.path)\": another program has migrated it to another version of the"
        + " model while it was open here; entities that differ:",
      list: names,
      hint: "Restart this program with the new version of the model."
    ).with {
      $0.path = file.path
      $0.entity = names.first
    }
  }

  /// Versions and keys of rows have gone back, so that neither tells of changes made elsewhere
  /// meanwhile.
  private var restored: CauldronError {
    CauldronError(
      .storeFileGone,
      "Cannot use store \"\(file.path)\": another program has restored a copy of it while it was open"
        + " here.",
      hint: "Call Stack.cleanUp() and set the stack up again; what is unsaved is about the store"
        + " before."
    ).with { $0.path = file.path }
  }
}
