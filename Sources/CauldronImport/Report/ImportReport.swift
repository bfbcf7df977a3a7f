import CauldronGraph
public import CauldronModel
public import CauldronSave

/// What an import did.
///
/// ```swift
/// print(report)  // 249 countries: 3 created, 12 updated, 233 unchanged; 1 refused: /17/area: "n/a" is not a number
/// ```
public struct ImportReport: Sendable {
  /// How many objects of one entity were nested in records, or named by them.
  public struct Related: Sendable, Hashable {
    /// How many were created.
    public internal(set) var created = 0
    /// How often one that was there was changed.
    public internal(set) var updated = 0
  }

  /// The name of the entity.
  public let entity: String
  /// How many records were read.
  public internal(set) var records = 0
  /// How many records are new objects.
  public internal(set) var created = 0
  /// How many records have changed an object.
  public internal(set) var updated = 0
  /// How many records say what was there already.
  public internal(set) var unchanged = 0
  /// How many records were refused; `problems` tells why.
  public internal(set) var refused = 0
  /// How many records are of objects that said that they should not be imported.
  public internal(set) var declined = 0
  /// How many objects were deleted that no record lists any more.
  public internal(set) var deleted = 0
  /// What became of nested objects, by name of their entity.
  public internal(set) var related: [String: Related] = [:]
  /// The first hundred problems, in the order in which they were found.
  public internal(set) var problems: [ImportProblem] = []
  /// How many problems there are.
  public internal(set) var problemCount = 0
  /// What is doubtful about the import as a whole, such as an entity without a key: its records are new objects
  /// each time.
  public internal(set) var warnings: [String] = []
  /// The names in the first hundred records that nothing is imported from, each behind that of its entity, such as
  /// `Person.nmae`; none of entities whose classes read whole records.
  public var unread: [String] { names.all }
  private var names = UnreadNames()
  /// The entities of which objects were created without a key.
  private var keyless: Set<String> = []
  /// How many records are saved, without those that were left out by ``ImportOptions/skipping``.
  public internal(set) var committed = 0
  /// What the last save wrote; nil where nothing was saved.
  public package(set) var outcome: SaveOutcome?

  init(entity: String, warnings: [String] = []) {
    self.entity = entity
    self.warnings = warnings
  }

  /// Warns of an entity without a key, once.
  mutating func noteKeyless(_ name: String) {
    guard keyless.insert(name).inserted else { return }
    let usual = name.prefix(1).lowercased() + name.dropFirst() + "ID"
    warnings.append(
      "\(name) has no key: each record is a new \(name), however often it is imported. Mark an attribute"
        + " @Attribute(.unique) or several attributes #Unique together, name one with @Entity(importKey:), or call one"
        + " \(usual);"
        + " ImportMapping(alwaysInserts: true) says that it is meant.")
  }

  mutating func note(_ names: UnreadNames) { self.names.formUnion(names) }

  mutating func note(_ problem: ImportProblem) {
    problemCount += 1
    if problems.count < 100 { problems.append(problem) }
  }

  /// Whether nothing was created, changed or deleted.
  public var isUnchanged: Bool {
    created == 0 && updated == 0 && deleted == 0
      && related.values.allSatisfy { $0.created == 0 && $0.updated == 0 }
  }
}

extension ImportReport: CustomStringConvertible {
  /// The numbers that are not zero, and the first problems.
  public var description: String { described { $0.description } }

  /// The same without values, for a log: the places of the first problems with their codes.
  package var withoutValues: String {
    described { $0.pointer.isEmpty ? $0.code.rawValue : "\($0.pointer) (\($0.code.rawValue))" }
  }

  private func described(_ problem: (ImportProblem) -> String) -> String {
    var parts: [String] = []
    func add(_ count: Int, as what: String) { if count > 0 { parts.append("\(count) \(what)") } }
    add(created, as: "created")
    add(updated, as: "updated")
    add(unchanged, as: "unchanged")
    add(declined, as: "declined")
    add(deleted, as: "deleted")
    for (name, related) in related.sorted(by: { $0.key < $1.key }) {
      // Those of the same entity are not the ones of the records.
      let other = name == entity ? "other " : ""
      add(related.created, as: "\(other)\(Noun(name, related.created)) created")
      add(related.updated, as: "\(other)\(Noun(name, related.updated)) updated")
    }
    let what = "\(records) \(Noun(entity, records))"
    let done = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    return what + done + trouble(problem)
  }

  private func trouble(_ problem: (ImportProblem) -> String) -> String {
    if problemCount == 0 { return "" }
    let shown = problems.prefix(3).map(problem).joined(separator: "; ")
    let more = problemCount > 3 ? "; … and \(problemCount - 3) more" : ""
    let count =
      refused == 0
      ? "\(problemCount) left out"
      : problemCount == refused
        ? "\(refused) refused" : "\(refused) refused, \(problemCount - refused) left out"
    return "; \(count): \(shown)\(more)"
  }
}

/// The name of an entity as a noun: `country`, `library entries`.
private struct Noun: CustomStringConvertible {
  let description: String

  init(_ entity: String, _ count: Int) {
    let lower = Self.words(entity)
    if count == 1 {
      description = lower
    } else if lower.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(String(lower.suffix(2))) {
      description = lower.dropLast() + "ies"
    } else if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) {
      description = lower + "es"
    } else {
      description = lower + "s"
    }
  }

  /// `LibraryEntry` as `library entry`.
  private static func words(_ entity: String) -> String {
    var result = ""
    for letter in entity {
      if letter.isUppercase, result.last?.isLowercase == true { result += " " }
      result += letter.lowercased()
    }
    return result
  }
}

/// What was wrong with a record of an import.
public struct ImportProblem: Sendable, Hashable, CustomStringConvertible {
  /// What became of it.
  public enum Consequence: Sendable, Hashable {
    /// Nothing of the record was imported.
    case refused
    /// The record was imported without this.
    case leftOut
  }

  /// The record's number in the file, from 0.
  public let record: Int
  /// Where in the file, as a JSON pointer (RFC 6901).
  public let pointer: String
  /// What kind of problem it is.
  public let code: CauldronError.Code
  /// What is wrong, without the place.
  public let reason: String
  /// What became of it.
  public let consequence: Consequence

  /// The place and what is wrong: `/17/area: "n/a" is not a number`.
  public var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
  /// How many records were read.
  public let records: Int
  /// How many bytes were read.
  public let bytes: Int
  /// How many bytes there are; nil where nobody knows.
  public let totalBytes: Int?
  /// For how long it has run.
  public let elapsed: Duration

  package init(records: Int, bytes: Int, totalBytes: Int?, elapsed: Duration) {
    self.records = records
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.elapsed = elapsed
  }
}

extension ImportProgress {
  /// Records a second.
  public var rate: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(records) / seconds : 0
  }

  /// The part that is done, from 0 to 1; nil where nobody knows how much there is.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 }
  }

  /// How long it will take still, if it goes on like this; nil where nobody knows how much there is.
  public var timeLeft: Duration? {
    guard let fraction, fraction > 0 else { return nil }
    return elapsed * ((1 - fraction) / fraction)
  }
}

extension ImportProgress: CustomStringConvertible {
  /// `12000 records (40 %), 31000 a second, 2 s left`.
  public var description: String {
    let part = fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
    let left = timeLeft.map { ", \(Int(($0 / .seconds(1)).rounded(.up))) s left" } ?? ""
    return "\(records) records\(part), \(Int(rate)) a second\(left)"
  }
}

/// The parts of a JSON pointer (RFC 6901), and of paths with points.
package enum ImportPointer {
  /// What leads to a name.
  static func step(_ name: String) -> String {
    // Few names have either.
    guard name.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return "/" + name }
    return "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// The names of a path: a JSON pointer, which begins with a slash, or names with points between them.
  package static func names(_ path: String) -> [String] {
    guard path.hasPrefix("/") else {
      return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }
}

/// The names in records that no property is imported from, such as misspelt ones.
struct UnreadNames: Sendable {
  /// Of each name its entity and itself, in the order in which they were met: `Person.nmae`.
  private(set) var all: [String] = []
  /// How many records are looked at, and names kept: what is misspelt is so in the first ones.
  static let limit = 100

  /// Adds the names of an object that nothing is imported from.
  mutating func note(_ names: some Sequence<String>, of entity: String) {
    for name in names { add("\(entity).\(name)") }
  }

  /// Adds those of another part of the records.
  mutating func formUnion(_ other: UnreadNames) {
    for name in other.all { add(name) }
  }

  private mutating func add(_ name: String) {
    if all.count < Self.limit, !all.contains(name) { all.append(name) }
  }
}
