import Cauldron
import Foundation
import SystemSQLite

/// Records of a file, each with the key of another object.
extension Contest {
  static func imports(_ settings: Settings) -> [Contest] {
    let count = settings.size(1_000_000)
    return [fresh(count), again(count), oneByOne(settings.size(100_000))]
      + ImportMemory.contests(settings)
  }

  private static func fresh(_ count: Int) -> Contest {
    Contest(
      "import \(grouped(count)) records with a related key each", onMain: false,
      base: "all of them read and refused", targets: [Target(.ratio(.raw), 2)],
      note:
        "raw: prepared inserts of the same rows, indexes and pragmas in one transaction, no parsing"
    ) { _ in
      let file = try MemberFile(count)
      return [
        Lane(.ours) { try withMembers { try imported(file, $0) } },
        Lane(.raw) { try rawMembers(count) },
        Lane(.base) { try withMembers { try refused(file, $0) } },
      ]
    }
  }

  private static func again(_ count: Int) -> Contest {
    Contest(
      "import \(grouped(count)) records that are there already", onMain: false,
      base: "the first import", targets: [Target(.ratio(.base), 1)]
    ) { _ in
      let file = try MemberFile(count)
      let url = try Scratch.file()
      let stack = try openMembers(url)
      _ = try imported(file, stack)
      return [
        Lane(.ours) { try imported(file, stack) },
        Lane(.base) { try withMembers { try imported(file, $0) } },
      ]
    }
  }

  private static func oneByOne(_ count: Int) -> Contest {
    Contest(
      "import \(grouped(count)) records against one by one", onMain: false,
      base: "findOrCreate for record and related key, one save",
      targets: [Target(.advantage(.base), 3)]
    ) { _ in
      let file = try MemberFile(count)
      return [
        Lane(.ours) { try withMembers { try imported(file, $0) } },
        Lane(.base) { try withMembers { try created(count, $0) } },
      ]
    }
  }

  static func imported(
    _ file: MemberFile, _ stack: Stack, _ options: ImportOptions = ImportOptions()
  ) throws -> Sample {
    try measure {
      let report = try wait {
        try await stack.importJSON(contentsOf: file.url, as: Member.self, options: options)
      }
      try check(report.problemCount, 0)
    }
  }

  /// Reads everything and imports nothing: every record is of a class without the key.
  private static func refused(_ file: MemberFile, _ stack: Stack) throws -> Sample {
    try measure {
      let report = try wait {
        try await stack.importJSON(contentsOf: file.url, as: Club.self)
      }
      consume(report.refused)
    }
  }

  private static func created(_ count: Int, _ stack: Stack) throws -> Sample {
    try measure {
      let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
      try context.performAndWait { local in
        for number in 0..<count {
          let member = try Member.findOrCreate(\.id, number, in: local)
          member.name = MemberFile.name(number)
          member.age = number % 90
          member.club = try Club.findOrCreate(\.number, MemberFile.club(number), in: local)
        }
      }
      try context.saveAndWait(toPersistentStore: true)
    }
  }

  private static func withMembers(_ work: (Stack) throws -> Sample) throws -> Sample {
    let url = try Scratch.file()
    defer { Scratch.remove(url) }
    let stack = try openMembers(url)
    let sample = try work(stack)
    try stack.close()
    return sample
  }

  static func openMembers(_ url: URL) throws -> Stack {
    try OurStack.open(url, entities: [Member._describeEntity(), Club._describeEntity()])
  }

  private static func rawMembers(_ count: Int) throws -> Sample {
    let url = try Scratch.file()
    defer { Scratch.remove(url) }
    let database = try RawDatabase(url)
    try database.execute(RawMembers.schema)
    return try measure { try RawMembers.insert(count, database) }
  }

  private static func wait<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Handed(Result<Value, any Error>?.none)
    Task {
      do { result.value = .success(try await work()) } catch { result.value = .failure(error) }
      done.signal()
    }
    done.wait()
    guard let value = result.value else { throw RawFailure(code: 0, message: "no result") }
    return try value.get()
  }

  private static func check(_ a: Int, _ b: Int) throws {
    if a != b { throw RawFailure(code: 0, message: "\(a) instead of \(b)") }
  }
}

/// What a task leaves for who waits for it.
///
/// `@unchecked Sendable` because a semaphore stands between the two.
private final class Handed<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// A file of records.
final class MemberFile: Sendable {
  let url: URL

  init(_ count: Int) throws {
    url = try Scratch.file()
    var text = "["
    for number in 0..<count {
      text += number == 0 ? "" : ",\n"
      text +=
        #"{"id":\#(number),"name":"\#(Self.name(number))","age":\#(number % 90),"club":\#(Self.club(number))}"#
    }
    try Data((text + "]").utf8).write(to: url)
  }

  deinit { Scratch.remove(url) }

  static func name(_ number: Int) -> String { "member number \(number)" }

  static func club(_ number: Int) -> Int { number &* 7 % 10_007 }
}

/// Members by the C API, in the tables that our store makes for them.
private enum RawMembers {
  static let schema = """
    CREATE TABLE ZMEMBER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER,
    ZID INTEGER, ZCLUB INTEGER, ZNAME VARCHAR );
    CREATE TABLE ZCLUB ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER );
    CREATE INDEX ZMEMBER_ZCLUB_INDEX ON ZMEMBER (ZCLUB);
    CREATE UNIQUE INDEX ZMEMBER_ID ON ZMEMBER (ZID);
    CREATE UNIQUE INDEX ZCLUB_NUMBER ON ZCLUB (ZNUMBER);
    """

  static func insert(_ count: Int, _ database: RawDatabase) throws {
    let member = try database.prepare("INSERT INTO ZMEMBER VALUES (?, 2, 1, ?, ?, ?, ?)")
    let club = try database.prepare("INSERT INTO ZCLUB VALUES (?, 1, 1, ?)")
    var clubs: [Int: Int64] = [:]
    try database.transaction {
      for number in 0..<count {
        let club = try key(MemberFile.club(number), &clubs, club)
        var name = MemberFile.name(number)
        sqlite3_bind_int64(member.pointer, 1, Int64(number + 1))
        sqlite3_bind_int64(member.pointer, 2, Int64(number % 90))
        sqlite3_bind_int64(member.pointer, 3, Int64(number))
        sqlite3_bind_int64(member.pointer, 4, club)
        try name.withUTF8 { bytes in
          try bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(member.pointer, 5, $0.baseAddress, Int32($0.count), nil)
            try member.run()
          }
        }
      }
    }
  }

  private static func key(
    _ number: Int, _ known: inout [Int: Int64], _ statement: RawStatement
  ) throws -> Int64 {
    if let key = known[number] { return key }
    let key = Int64(known.count + 1)
    known[number] = key
    sqlite3_bind_int64(statement.pointer, 1, key)
    sqlite3_bind_int64(statement.pointer, 2, Int64(number))
    try statement.run()
    return key
  }
}
