/// The triggers of a file that keep derived attributes.
struct TriggerSet {
  let connection: Connection

  /// The statements of all triggers, by name.
  func present() throws -> [String: String] {
    let statement = try Statement(
      connection.handle, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    var triggers: [String: String] = [:]
    while try statement.step() { triggers[statement.text(0)] = statement.text(1) }
    return triggers
  }

  /// Makes triggers in the place of those with the same names.
  func make(_ counts: CountTriggers) throws {
    for trigger in counts.all {
      try drop(trigger.name)
      try connection.execute(trigger.sql)
    }
  }

  func drop(_ name: String) throws {
    try connection.execute("DROP TRIGGER IF EXISTS \(SQLIdentifier.quoted(name))")
  }
}
