import CauldronModel
import Foundation

/// The room that a migration takes on the disk, beside the store.
struct MigrationSpace {
  /// What the log and the new pages take, of what is written anew.
  private static let factor = 2.5

  let connection: Connection
  let file: StoreFile
  /// The tables that are written anew.
  let tables: [String]
  /// Other tables that get indexes.
  var indexed: [String] = []
  /// Whether the store is copied before.
  let isCopied: Bool

  /// - Parameter free: The bytes that are free; nil where nobody can tell.
  /// - Throws: `migration.noSpace`.
  func check(_ free: Int?) throws {
    guard let free, !tables.isEmpty || !indexed.isEmpty || isCopied else { return }
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let all = Double(pages * (try connection.integer("PRAGMA page_size") ?? 0))
    let copy = isCopied ? all : 0
    // The whole file is more than enough, and costs no look at its pages.
    if Double(free) >= Self.factor * all + copy { return }
    let needed = Self.factor * Double(try size() ?? Int64(all)) + copy
    guard Double(free) < needed else { return }
    throw CauldronError(
      .migrationNoSpace,
      "Cannot migrate \"\(file.path)\": that takes about \(Self.text(needed)), and"
        + " \(Self.text(Double(free))) are free.",
      hint: "Free some space and open it again; nothing was written."
    ).with { $0.path = file.path }
  }

  /// The rows of the tables, as far as their greatest keys tell; costs two looks a table.
  func rows() throws -> Int {
    Int(try sum(of: tables))
  }

  private func sum(of tables: [String]) throws -> Int64 {
    try tables.reduce(0) { sum, table in
      try sum.plus(Self.rows(of: table, connection), of: "the keys of \(table) and other tables")
    }
  }

  /// About how many bytes the tables take: their part of the file, by rows.
  func bytes(of all: [String]) throws -> Int {
    let total = try sum(of: all)
    guard total > 0, let pages = try connection.integer("PRAGMA page_count"),
      let page = try connection.integer("PRAGMA page_size")
    else { return 0 }
    return Int(Double(pages * page) * Double(try rows()) / Double(total))
  }

  private static func rows(of table: String, _ connection: Connection) throws -> Int64 {
    let name = SQLIdentifier.quoted(table)
    guard let last = try connection.integer("SELECT max(rowid) FROM \(name)"),
      let first = try connection.integer("SELECT min(rowid) FROM \(name)")
    else { return 0 }
    let what = "the keys of \(table)"
    return try last.minus(first, of: what).plus(1, of: what)
  }

  /// The pages of the tables and their indexes; nil where SQLite was built without the means to tell
  /// (https://www.sqlite.org/dbstat.html).
  private func size() throws -> Int64? {
    let list = (tables + indexed).map { SQLIdentifier.literal($0) }.joined(separator: ", ")
    return try? connection.integer(
      "SELECT ifnull(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN"
        + " (SELECT name FROM sqlite_master WHERE tbl_name COLLATE NOCASE IN (\(list)))")
  }

  private static func text(_ bytes: Double) -> String {
    bytes < 1e9
      ? "\(Int((bytes / 1e6).rounded(.up))) MB" : "\((bytes / 1e8).rounded() / 10) GB"
  }
}

extension StoreFile {
  /// The bytes that are free on the disk of the store; nil where the system does not tell.
  var freeSpace: Int? {
    var status = statvfs()
    let directory = url.deletingLastPathComponent().path(percentEncoded: false)
    guard statvfs(directory.isEmpty ? "." : directory, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }
}
