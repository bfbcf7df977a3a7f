package import CauldronModel
package import CauldronQuery
package import Foundation

/// A fetch from a store's file, with the model that the file itself has; changes nothing.
package struct OutsideQuery {
  private let examination: StoreExamination
  private let entity: String
  package var predicate: PredicateNode?
  package var sortKeys: [SortKey] = []
  /// The most rows; nil for all.
  package var limit: Int?
  package var offset = 0

  /// - Parameters:
  ///   - url: Where the store lies.
  ///   - entity: The entity's name; objects of its subentities belong to it.
  package init(_ url: URL, entity: String) {
    examination = StoreExamination(url)
    self.entity = entity
  }

  /// Reads the rows, and hands them over with the model that they are of.
  /// - Throws: `store.…` and `migration.noSource` where the file cannot be read, `model.unknownEntity`,
  ///   `query.…`.
  package func run<Result>(
    _ body: (ManagedObjectModel, EntityLayout, RowSet) throws -> Result
  ) throws -> Result {
    try examination.reading { connection, metadata, _ in
      let model = try model(on: connection, metadata: metadata)
      let query = try query(model)
      let reader = try reader(on: connection, metadata: metadata, model: model)
      defer { reader.finish() }
      return try body(model, query.entity, try reader.fetch(query))
    }
  }

  private func query(_ model: ManagedObjectModel) throws -> StoreQuery {
    guard let layout = model.layout(named: entity) else {
      let names = model.entityLayouts.map(\.name)
      let hint = Suggestion.hint(for: entity, among: names)
      throw CauldronError(
        .modelUnknownEntity, "The store has no entity \"\(entity)\".",
        hint: hint.isEmpty ? "It has \(names.sorted().joined(separator: ", "))." : hint)
    }
    if let limit, limit < 0 { throw CauldronError.negative("limit", limit, layout) }
    if offset < 0 { throw CauldronError.negative("offset", offset, layout) }
    var query = StoreQuery(entity: layout)
    query.predicate = try predicate?.bound(to: layout)
    query.sort = try sortKeys.map { try $0.bound(to: layout, nil) }
    query.limit = limit
    query.offset = offset
    return query
  }

  /// The model that the store has a copy of.
  private func model(
    on connection: Connection, metadata: StoreMetadata
  ) throws -> ManagedObjectModel {
    let kept = try KeptModel(connection)
    if let model = kept.model, kept.differences(from: metadata).isEmpty { return model }
    throw CauldronError(
      .migrationNoSource,
      "Cannot fetch from \"\(examination.file.path)\": its copy of its model is missing, of another"
        + " version, or not understood.",
      hint: "Fetch with the program that the store belongs to."
    ).with { $0.path = examination.file.path }
  }

  private func reader(
    on connection: RowConnection, metadata: StoreMetadata, model: ManagedObjectModel
  ) throws -> SQLiteReader {
    var options = SQLiteStoreOptions(busyTimeout: examination.busyTimeout)
    options.readOnly = true
    let schema = try SchemaCheck(connection: connection, planned: try StoreSchema(model: model))
      .resolved(to: "fetch from", examination.file.path)
    let version = try connection.schemaVersion()
    let facts = StoreFacts(
      file: examination.file, identifier: metadata.identifier, storeNumber: 0, options: options,
      schema: schema, plans: PackPlans(schema), schemaVersion: version,
      restoration: metadata.restoration)
    let pool = ReaderPool(facts)
    try connection.configureReader(options)
    connection.knownSchema = version
    pool.adopt(connection)
    return try SQLiteReader(facts, pool)
  }
}
