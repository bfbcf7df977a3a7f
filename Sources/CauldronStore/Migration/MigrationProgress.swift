import CauldronModel

/// How far the migration of a store is.
///
/// ```swift
/// try await setupStack(storeURL: url) { progress in bar.value = progress.fraction }
/// ```
public struct MigrationProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: Sendable, Hashable {
    /// The values are looked at, before anything is written.
    case checking
    /// The store is copied beside itself, because values will be lost.
    case copying
    /// Tables are filled.
    case writing
    /// A step of a plan runs, with its name.
    case step(String)
    /// What is no longer needed is dropped, and indexes are made.
    case finishing
  }

  /// The store's file name.
  public let store: String
  /// What is being done.
  public let phase: Phase
  /// The rows that were written, and those that steps have passed.
  public let rowsDone: Int
  /// All rows that will be; at most, as far as the greatest keys tell.
  public let rowsInAll: Int
  /// How much is done, from 0 to 1; never falls.
  public let fraction: Double
  /// About how many seconds it will take still; nil as long as nobody can tell.
  public let secondsLeft: Double?

  package init(
    store: String, phase: Phase, rowsDone: Int, rowsInAll: Int, fraction: Double,
    secondsLeft: Double?
  ) {
    self.store = store
    self.phase = phase
    self.rowsDone = rowsDone
    self.rowsInAll = rowsInAll
    self.fraction = fraction
    self.secondsLeft = secondsLeft
  }
}

extension MigrationProgress.Phase: CustomStringConvertible {
  /// A few words: `writing`, `step "split name"`.
  public var description: String {
    switch self {
    case .checking: "checking"
    case .copying: "copying"
    case .writing: "writing"
    case .step(let name): "step \"\(name)\""
    case .finishing: "finishing"
    }
  }
}

extension MigrationProgress: CustomStringConvertible {
  /// One line: `Migrating people.sqlite: 43 %, writing, 430000 of 1000000 rows, 3 s left`.
  public var description: String {
    var parts = ["\(Int(fraction * 100)) %", "\(phase)"]
    if rowsInAll > 0 { parts.append("\(rowsDone) of \(rowsInAll) rows") }
    if let secondsLeft { parts.append("\(Int(secondsLeft.rounded(.up))) s left") }
    return "Migrating \(store): \(parts.joined(separator: ", "))"
  }
}
