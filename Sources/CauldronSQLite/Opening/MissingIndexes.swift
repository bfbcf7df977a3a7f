/// Makes the indexes that the model has and a file lacks: they are no part of the version hash, so that
/// a model may gain one without another store.
struct MissingIndexes {
  let connection: Connection
  let schema: StoreSchema

  /// Costs one statement where the model has indexes; makes those that are missing in one transaction.
  ///
  /// A store is as right without them, only slower. So what hinders their making, such as a full disk
  /// or another process that writes, is no reason not to open it; the next opening tries again.
  func create() {
    guard !connection.isReadOnly, schema.tables.contains(where: { !$0.indexes.isEmpty }) else {
      return
    }
    do {
      guard try !statements().isEmpty else { return }
      try connection.execute("BEGIN IMMEDIATE")
      // Another process may have been quicker.
      for statement in try statements() { try connection.execute(statement) }
      try connection.execute("COMMIT")
    } catch {
      connection.rollbackQuietly()
    }
  }

  private func statements() throws -> [String] {
    let statement = try Statement(
      connection.handle, "SELECT name FROM sqlite_master WHERE type = 'index'")
    var present: Set<String> = []
    while try statement.step() { present.insert(statement.text(0).lowercased()) }
    return schema.tables.flatMap { table in
      table.indexes.filter { !present.contains($0.name.lowercased()) }
        .map { table.indexStatement($0).sql }
    }
  }
}

/// Makes the triggers of derived attributes that a file lacks, and counts anew what they would have kept.
struct MissingTriggers {
  let connection: Connection
  let schema: StoreSchema

  /// Costs one statement where the model has derived attributes.
  /// - Throws: What SQLite says, since without them values would be wrong.
  func create() throws {
    let counts = schema.counts
    guard !counts.isEmpty, !connection.isReadOnly, try !lacking(counts).isEmpty else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have been quicker.
      for counts in try lacking(counts) {
        try TriggerSet(connection: connection).make(counts)
        try connection.execute(counts.filling)
      }
      try connection.execute("COMMIT")
    } catch {
      connection.rollbackQuietly()
      throw error
    }
  }

  private func lacking(_ counts: [CountTriggers]) throws -> [CountTriggers] {
    let present = try TriggerSet(connection: connection).present()
    return counts.filter { counts in counts.all.contains { present[$0.name] == nil } }
  }
}
