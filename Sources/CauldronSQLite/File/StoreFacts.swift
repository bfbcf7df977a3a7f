import CauldronModel
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
  /// Counts what others commit, while somebody watches.
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

  func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
  }

  /// The number that an entity has in the file.
  func number(of entity: EntityLayout) -> Int64 { Int64(schema.number(of: entity)) }

  /// How the rows of a query are packed.
  func plan(_ query: StoreQuery) -> PackPlan {
    query.includesSubentities ? plans.family(query.entity) : plans.single(query.entity)
  }

  /// An object as errors name it.
  func name(_ key: Int64, _ entity: EntityLayout) -> NamedObject {
    NamedObject(id(key, entity), entity: entity.name, store: identifier)
  }

  /// The object of a row whose `Z_ENT` was read; of `entity` where that is no number of the model.
  func name(_ key: Int64, number: Int64, _ entity: EntityLayout) -> NamedObject {
    name(key, schema.layout(fileNumber: number) ?? entity)
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
