import SystemSQLite

/// Insertion of many rows by one statement, whose texts lie side by side in memory of its own.
final class RawBatchInsertion {
  static let size = 50

  private let many: RawStatement
  private let one: RawStatement
  /// Room for the texts of one statement, of which none is longer than 40 bytes.
  private let texts = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size * 4 * 40)
  private var used = 0

  init(_ database: RawDatabase) throws {
    let row = "(" + Array(repeating: "?", count: 13).joined(separator: ",") + ")"
    let rows = Array(repeating: row, count: Self.size).joined(separator: ",")
    many = try database.prepare("INSERT INTO ZITEM VALUES " + rows)
    one = try database.prepare(RawItems.insertion)
  }

  deinit { texts.deallocate() }

  /// Inserts items in one transaction.
  func insert(_ items: [ItemValues]) throws {
    try many.database.transaction {
      let whole = items.count - items.count % Self.size
      for start in stride(from: 0, to: whole, by: Self.size) {
        used = 0
        for index in 0..<Self.size { bind(items[start + index], many.pointer, Int32(index) * 13) }
        try many.run()
      }
      for item in items[whole...] {
        used = 0
        bind(item, one.pointer, 0)
        try one.run()
      }
    }
  }

  private func bind(_ item: ItemValues, _ statement: OpaquePointer, _ first: Int32) {
    RawItems.bindNumbers(item, statement, first)
    bind(item.city, statement, first + 10)
    bind(item.email, statement, first + 11)
    bind(item.name, statement, first + 12)
    bind(item.title, statement, first + 13)
  }

  private func bind(_ text: String, _ statement: OpaquePointer, _ parameter: Int32) {
    let start = used
    for byte in text.utf8 {
      texts[used] = byte
      used += 1
    }
    guard let base = texts.baseAddress else { return }
    (base + start).withMemoryRebound(to: CChar.self, capacity: used - start) {
      _ = sqlite3_bind_text(statement, parameter, $0, Int32(used - start), nil)
    }
  }
}
