/// A part of a migration that only the program knows, such as how a name falls into two.
///
/// ```swift
/// MigrationStep("split name", needs: ["Person.name"], discards: ["Person.name: String"]) { step in
///   try step.each("Person") { old, new in
///     let name: String = old["name"] ?? ""
///     let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
///     new["first"] = parts.first
///     new["last"] = parts.last
///   }
/// }
/// ```
/// Two steps are equal only if one is a copy of the other.
public struct MigrationStep: Sendable, Hashable {
  /// What the store records the step by, once; it never changes.
  public let name: String
  /// What the store must have for the step to run, by the names of the store: `Person` or `Person.name`.
  public let needs: [String]
  /// What the migration that runs the step may lose: `Person.name: String` or `Company`.
  public let discards: [String]
  private let work: Work

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - name: What the store records the step by; of one plan no two steps have the same.
  ///   - needs: What the store must have, by its own names: entities, as `Person`, and properties, as
  ///     `Person.name`. A store that lacks one of them needs no such step.
  ///   - discards: What is no longer needed once the step has run, with its type:
  ///     `Person.name: String`, or `Company` for an entity.
  ///   - work: What is done, in the transaction of the migration; if it throws, the store stays as it
  ///     was.
  public init(
    _ name: String, needs: [String] = [], discards: [String] = [],
    _ work: @escaping @Sendable (_ step: MigrationContext) throws -> Void
  ) {
    self.name = name
    self.needs = needs
    self.discards = discards
    self.work = Work(work)
  }

  package func run(_ context: MigrationContext) throws { try work.run(context) }

  /// The program's code, which has an identity and no other mark.
  private final class Work: Sendable, Hashable {
    let run: @Sendable (MigrationContext) throws -> Void

    init(_ run: @escaping @Sendable (MigrationContext) throws -> Void) { self.run = run }

    static func == (a: Work, b: Work) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}
