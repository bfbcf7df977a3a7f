import Foundation

/// What happens to a file that nothing reads as a database.
extension StoreDamage {
  static let bytes: [Mutation] = [
    { $0.flip() }, { $0.flip() }, { $0.flipHeader() }, { $0.flipPageHead() }, { $0.flipPageHead() },
    { $0.zeroPage() }, { $0.copyPage() }, { $0.fillPage() }, { $0.truncate() }, { $0.append() },
  ]

  private var pageSize: Int { 4_096 }

  private mutating func change(_ ending: String = "", _ body: (inout Self, inout [UInt8]) -> String)
    -> String
  {
    var bytes = files.bytes(ending)
    guard !bytes.isEmpty else { return "\(ending.isEmpty ? "the file" : ending) is empty" }
    let note = body(&self, &bytes)
    files.write(bytes, ending)
    return note
  }

  /// Changes a few bytes at any places.
  mutating func flip(_ ending: String = "") -> String {
    change(ending) { damage, bytes in
      let places = (0...damage.below(8)).map { _ in damage.below(bytes.count) }
      for place in places { bytes[place] = UInt8(damage.below(256)) }
      return "bytes of \(ending.isEmpty ? "the file" : ending) at \(places)"
    }
  }

  private mutating func flipHeader() -> String {
    change { damage, bytes in
      let place = damage.below(min(100, bytes.count))
      bytes[place] = damage.pick([0, 1, 2, 3, 0x7F, 0x80, 0xFF, UInt8(damage.below(256))])
      return "header byte \(place) is \(bytes[place])"
    }
  }

  /// Changes the head of a page of a tree, or the places of its cells.
  private mutating func flipPageHead() -> String {
    change { damage, bytes in
      let page = damage.below(bytes.count / damage.pageSize)
      let start = page * damage.pageSize + (page == 0 ? 100 : 0)
      var places: [Int] = []
      for _ in 0...damage.below(3) {
        let place = start + damage.below(24)
        guard place < bytes.count else { continue }
        bytes[place] = damage.pick([0, 1, 2, 5, 10, 13, 0xFF, UInt8(damage.below(256))])
        places.append(place - start)
      }
      return "page \(page + 1) has another head at \(places)"
    }
  }

  private mutating func zeroPage() -> String { setPage(0, "zeros") }

  private mutating func fillPage() -> String { setPage(0xFF, "ones") }

  private mutating func setPage(_ byte: UInt8, _ name: String) -> String {
    change { damage, bytes in
      let page = damage.below(bytes.count / damage.pageSize)
      for place in page * damage.pageSize..<min((page + 1) * damage.pageSize, bytes.count) {
        bytes[place] = byte
      }
      return "page \(page + 1) is all \(name)"
    }
  }

  private mutating func copyPage() -> String {
    change { damage, bytes in
      let count = bytes.count / damage.pageSize
      guard count > 0 else { return "no page is copied" }
      let (from, to) = (damage.below(count), damage.below(count))
      let size = damage.pageSize
      let page = bytes[from * size..<(from + 1) * size]
      bytes.replaceSubrange(to * size..<(to + 1) * size, with: page)
      return "page \(to + 1) is page \(from + 1)"
    }
  }

  /// Cuts a file off, at the end of a page or elsewhere.
  mutating func truncate(_ ending: String = "") -> String {
    change(ending) { damage, bytes in
      let size =
        damage.once(in: 3)
        ? damage.pick([0, 1, 15, 16, 31, 32, 56, 99, 100, 512, 4_096, 4_152])
        : damage.once(in: 2)
          ? damage.below(bytes.count / damage.pageSize) * damage.pageSize
          : damage.below(bytes.count)
      bytes = Array(bytes.prefix(size))
      return "\(ending.isEmpty ? "the file" : ending) ends after \(bytes.count) bytes"
    }
  }

  private mutating func append() -> String {
    change { damage, bytes in
      let count = damage.pick([1, 100, 4_096, 40_960])
      for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: damage.random.next())) }
      return "\(count) bytes are appended"
    }
  }
}

/// What happens to the files beside a store.
extension StoreDamage {
  static let logs: [Mutation] = [
    { $0.foreignLog() }, { $0.truncate("-wal") }, { $0.flip("-wal") }, { $0.flip("-wal") },
    { $0.garbage("-wal") }, { $0.garbage("-shm") }, { $0.garbage("-journal") },
    { $0.journal() }, { $0.journal() }, { $0.emptyFile() }, { $0.folderBeside() },
    { $0.onlyLog() }, { $0.pendingLog() },
  ]

  /// The log of another store.
  private mutating func foreignLog() -> String {
    let others = StoreSample.all.filter(\.hasLog)
    let other = pick(others)
    files.write(other.files(in: samples).bytes("-wal"), "-wal")
    return "the log of \(other.name) lies beside it"
  }

  private mutating func garbage(_ ending: String) -> String {
    let count = pick([1, 32, 512, 5_000, 32_768])
    files.write((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }, ending)
    return "\(ending) is \(count) random bytes"
  }

  private mutating func emptyFile() -> String {
    let ending = pick(["-wal", "-shm", "-journal"])
    files.write([], ending)
    return "\(ending) is empty"
  }

  private mutating func folderBeside() -> String {
    let ending = pick(["-wal", "-shm", "-journal"])
    try? FileManager.default.removeItem(atPath: files.path(ending))
    try? FileManager.default.createDirectory(
      atPath: files.path(ending), withIntermediateDirectories: false)
    return "\(ending) is a directory"
  }

  private mutating func onlyLog() -> String {
    files.write([])
    return "the file is empty, and what lies beside it stays"
  }

  /// A change that is in the log alone.
  private mutating func pendingLog() -> String {
    let (table, value) = (rowTable(), oddValue())
    let (column, some) = (column(of: table, like: "Z%"), some(of: table))
    let connection = DamageConnection(files, keepsLog: true)
    connection.run("UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = \(value)\(some)")
    return "in the log alone: \(table).\(column) = \(value)\(some)"
  }

  /// A journal that a transaction has left, which SQLite rolls back: pages become those of others
  /// (https://www.sqlite.org/fileformat.html#the_rollback_journal).
  private mutating func journal() -> String {
    let bytes = files.bytes()
    let count = bytes.count / pageSize
    guard count > 1 else { return "there are too few pages for a journal" }
    var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let pages = (0...below(3)).map { _ in (below(count), below(count)) }
    for number in [pages.count, 0, once(in: 3) ? 1 + below(count) : count, 512, pageSize] {
      journal += Self.big(number)
    }
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    for (place, source) in pages {
      let page = Array(bytes[source * pageSize..<(source + 1) * pageSize])
      let sums = stride(from: pageSize - 200, to: 0, by: -200).map { Int(page[$0]) }
      journal += Self.big(place + 1) + page + Self.big(sums.reduce(0, +))
    }
    files.write(journal, "-journal")
    return "a journal has page \(pages.map { "\($0.1 + 1) for \($0.0 + 1)" })"
  }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
