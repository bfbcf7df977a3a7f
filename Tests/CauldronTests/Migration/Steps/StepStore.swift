import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

extension DayTwo {
  /// Everything that the file has, in words.
  func content() -> [String] {
    let other = OtherConnection(url)
    let tables = other.texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return other.texts("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
      + tables.flatMap { table in
        let columns = other.texts(
          "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('\(table)')")
        return other.texts("SELECT \(columns.joined(separator: " || ' ' || ")) FROM \"\(table)\"")
      }
  }

  /// The error of a plan, which must leave everything as it was.
  func refusal(
    _ entities: [EntityDescription], _ steps: MigrationStep...
  ) throws -> CauldronError {
    let before = content()
    let error = refusal(entities, .plan(MigrationPlan(steps: steps)))
    #expect(content() == before)
    #expect(OtherConnection(url).texts("PRAGMA integrity_check") == ["ok"])
    return try #require(error)
  }

  /// What some SQL finds in the file.
  func texts(_ sql: String) -> [String] { OtherConnection(url).texts(sql) }
}

/// Counts in steps.
final class Tally: Sendable {
  private let counts = Locked<[String]>([])

  func note(_ word: String) { counts.withLock { $0.append(word) } }
  var words: [String] { counts.withLock { $0 } }
}

extension MigrationPolicy {
  static func steps(_ steps: MigrationStep...) -> MigrationPolicy {
    .plan(MigrationPlan(steps: steps))
  }
}
