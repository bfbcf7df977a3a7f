/// Derived attributes: nothing is counted while rows are on their way, and everything when they are there.
extension StoreMigration {
  /// Drops the triggers, of which all are known: they name tables and columns that may go.
  func dropTriggers() throws {
    let triggers = TriggerSet(connection: connection)
    for name in try triggers.present().keys { try triggers.drop(name) }
  }

  /// Makes the triggers of the new model and fills the columns.
  func countAnew() throws {
    for counts in planned.counts {
      try connection.execute(counts.filling)
      try TriggerSet(connection: connection).make(counts)
    }
  }
}
