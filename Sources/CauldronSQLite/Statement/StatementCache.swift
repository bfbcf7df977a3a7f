/// The prepared statements of a connection by their text; the least recently used one goes first.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: UInt64
  }

  private let limit: Int
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0

  init(limit: Int) { self.limit = limit }

  /// The statement for a text; looking it up counts as a use.
  subscript(sql: String) -> Statement? {
    mutating get {
      clock += 1
      guard let index = entries.index(forKey: sql) else { return nil }
      entries.values[index].lastUse = clock
      return entries.values[index].statement
    }
  }

  mutating func insert(_ statement: Statement, for sql: String) {
    if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    clock += 1
    entries[sql] = Entry(statement: statement, lastUse: clock)
  }

  mutating func removeAll() { entries = [:] }

  var count: Int { entries.count }
}
