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
