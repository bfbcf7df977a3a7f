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
      connection.handle,
      "SELECT m.name, m.tbl_name, (SELECT group_concat(name, char(0)) FROM"
        + " (SELECT name FROM pragma_index_info(m.name) ORDER BY seqno))"
        + " FROM sqlite_master AS m WHERE m.type = 'index'")
    var (names, columns): (Set<String>, Set<[String]>) = ([], [])
    while try statement.step() {
      names.insert(statement.text(0).lowercased())
      let list = statement.text(2).uppercased().split(separator: "\0").map(String.init)
      columns.insert([statement.text(1).uppercased()] + list)
    }
    return schema.tables.flatMap { table in
      table.indexes.filter { index in
        // An index on the same columns serves as well, whatever its name: the model's kind may give others.
        let list = index.columns.map { table.columns[$0].name.uppercased() }
        return !names.contains(index.name.lowercased())
          && !columns.contains([table.name.uppercased()] + list)
      }.map { table.indexStatement($0).sql }
    }
  }
}

/// Makes the triggers of derived attributes that a file lacks, and computes anew what they would have kept.
struct MissingTriggers {
  let connection: Connection
  let schema: StoreSchema

  /// Costs one statement where the model has derived attributes.
  /// - Throws: What SQLite says, since without them values would be wrong.
  func create() throws {
    let all = schema.derived
    if all.isEmpty || connection.isReadOnly { return }
    try createTemporary(all.filter(\.areTemporary))
    let derived = all.filter { !$0.areTemporary }
    if try lacking(derived).isEmpty { return }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have been quicker.
      let lacking = try lacking(derived)
      for triggers in lacking { try TriggerSet(connection: connection).make(triggers) }
      for _ in 0..<schema.fillingRounds {
        for triggers in lacking { try connection.execute(triggers.filling) }
      }
      try connection.execute("COMMIT")
    } catch {
      connection.rollbackQuietly()
      throw error
    }
  }

  /// Makes the triggers that are the connection's own, unless the file has some for the attribute.
  private func createTemporary(_ derived: [DerivedTriggers]) throws {
    if derived.isEmpty { return }
    let present = try TriggerSet(connection: connection).present()
    for triggers in derived where !present.keys.contains(where: triggers.isKept) {
      for trigger in triggers.all { try connection.execute(trigger.sql) }
    }
  }

  private func lacking(_ derived: [DerivedTriggers]) throws -> [DerivedTriggers] {
    let present = try TriggerSet(connection: connection).present()
    return derived.filter { $0.isLacking(among: present) }
  }
}
