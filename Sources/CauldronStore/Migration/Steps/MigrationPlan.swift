public import CauldronModel

/// The steps of a program, in the order in which they run; for ``MigrationStep``.
///
/// ```swift
/// let plan = MigrationPlan {
///   MigrationStep("split name", needs: ["Person.name"], discards: ["Person.name: String"]) { … }
///   MigrationStep("clean up mails", needs: ["Person.mail"]) { … }
/// }
/// configuration.migration = .plan(plan)
/// ```
/// A step runs once in a store: where the store does not record it and has all that it needs. It is
/// recorded, too, where it is not needed, and where a store is made. However many versions a store is
/// behind, its steps run in one transaction, after everything that came or was renamed, and before
/// anything that goes.
///
/// A step writes to the present model, so it changes with the model as long as there are stores that
/// need it. Where that is too much, a plan has ``versions``: a store of one of them becomes one of the next,
/// and so on, in one transaction, each time with the steps of the version that it becomes.
public struct MigrationPlan: Sendable, Hashable {
  /// The steps in the order in which they run.
  public let steps: [MigrationStep]
  /// Former versions of the model, the oldest first.
  public let versions: [MigrationVersion]

  /// A plan of some steps.
  public init(steps: [MigrationStep]) {
    self.steps = steps
    versions = []
  }

  /// A plan of the steps that a closure lists.
  public init(@MigrationPlanBuilder _ steps: () -> [MigrationStep]) { self.init(steps: steps()) }

  /// A plan that leads old stores through former versions of the model.
  ///
  /// A store of no version that is listed is brought to the present model at once.
  /// - Parameters:
  ///   - versions: The former versions, the oldest first.
  ///   - steps: What runs when a store becomes one of the present model.
  public init(
    versions: [MigrationVersion], @MigrationPlanBuilder _ steps: () -> [MigrationStep] = { [] }
  ) {
    self.versions = versions
    self.steps = steps()
  }
}

/// Gathers the steps of a ``MigrationPlan``.
@resultBuilder public enum MigrationPlanBuilder {
  /// One step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }
  /// Several steps.
  public static func buildExpression(_ steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// One after another.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
  /// Those of a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
  /// Those of an `if`.
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] { steps ?? [] }
  /// Those of an `if`.
  public static func buildEither(first steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Those of an `else`.
  public static func buildEither(second steps: [MigrationStep]) -> [MigrationStep] { steps }
}

extension MigrationPlan {
  /// Which steps a store is to run, and which it does not need.
  package struct Selection: Sendable {
    /// A step that a store does not need.
    package struct Skipped: Sendable {
      package let step: MigrationStep
      /// What the store has not of what the step needs.
      package let lacks: [String]
    }

    /// The steps to run, in order.
    package var due: [MigrationStep] = []
    /// The names of all that the store does not record yet.
    package var unrecorded: [String] = []
    /// The steps of these that are not run.
    package var skipped: [Skipped] = []

    package init() {}
  }

  /// Chooses for a store.
  /// - Parameters:
  ///   - recorded: The names that the store records.
  ///   - source: The model that wrote the store.
  package func selection(_ recorded: [String], in source: ManagedObjectModel) -> Selection {
    var selection = Selection()
    let recorded = Set(recorded)
    for step in steps where !recorded.contains(step.name) {
      selection.unrecorded.append(step.name)
      let lacks = step.needs.filter { !source.has($0) }
      if lacks.isEmpty {
        selection.due.append(step)
      } else {
        selection.skipped.append(Selection.Skipped(step: step, lacks: lacks))
      }
    }
    return selection
  }

  /// What is wrong with the plan whatever the store is.
  /// - Throws: `migration.invalidPlan`, with every problem.
  package func validate() throws {
    var names: Set<String> = []
    var findings: [String] = []
    for step in versions.flatMap(\.steps) + steps {
      if step.name.isEmpty { findings.append("a step has no name") }
      if !names.insert(step.name).inserted {
        findings.append("two steps are called \"\(step.name)\"")
      }
      findings += step.needs.filter { !Self.isName($0) }.map {
        "step \"\(step.name)\" needs \"\($0)\", which is neither Entity nor Entity.property"
      }
      findings += step.discards.filter { !Self.isLoss($0) }.map {
        "step \"\(step.name)\" discards \"\($0)\", which is neither Entity nor Entity.property: Type"
      }
    }
    let hashes = versions.map(\.model.entityVersionHashesByName)
    for index in hashes.indices where hashes[..<index].contains(hashes[index]) {
      findings.append("version \(index + 1) is the same as one before it")
    }
    guard !findings.isEmpty else { return }
    throw CauldronError(
      .migrationInvalidPlan,
      "Cannot migrate with the plan: \(findings.joined(separator: "; ")).",
      hint: "Each step has a name of its own, by which stores record it, and each version a model."
    ).with { error in
      guard findings.count > 1 else { return }
      error.details = findings.map {
        CauldronError(.migrationInvalidPlan, "Cannot migrate with the plan: \($0).")
      }
    }
  }

  /// Whether a text is `Entity` or `Entity.property`.
  private static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy(isWord)
  }

  /// Whether a text is `Entity` or `Entity.property: Type`.
  private static func isLoss(_ text: String) -> Bool {
    let parts = text.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
    return isName(String(parts[0])) && parts[0].contains(".") == (parts.count == 2)
      && parts.last?.isEmpty == false
  }

  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

extension ManagedObjectModel {
  /// Whether a store of the model has `Entity` or `Entity.property`.
  fileprivate func has(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    guard let first = parts.first, let entity = layout(named: first) else { return false }
    guard parts.count == 2 else { return true }
    return entity.index(of: parts[1]).map { entity.properties[$0].isStored } ?? false
  }
}

extension MigrationPlan.Selection.Skipped: CustomStringConvertible {
  /// A sentence: `Step "split" is not needed, because the store has no Person.name.`
  package var description: String {
    "Step \"\(step.name)\" is not needed, because the store has no \(lacks.joined(separator: ", "))."
  }
}

/// The identity of an object while its store is being migrated.
public struct MigrationID: Sendable, Hashable {
  /// The name of the object's own entity, in the model; in the store where the model has it no more.
  public let entity: String
  /// The object's key, which is that of its URI, too.
  public let key: Int64
  /// Whether the model has no such entity any more.
  package let isGone: Bool

  package init(entity: String, key: Int64, isGone: Bool) {
    self.entity = entity
    self.key = key
    self.isGone = isGone
  }
}

extension MigrationID: CustomStringConvertible {
  /// Entity and key: `Person/p7`.
  public var description: String { "\(entity)/p\(key)" }
}

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

/// A former version of a model, through which stores that are older go on their way to the present one.
///
/// ```swift
/// MigrationVersion(second) {
///   MigrationStep("split name", needs: ["Person.name"], discards: ["Person.name: String"]) { … }
/// }
/// ```
/// Two versions are equal only if they have the same model and the same steps.
public struct MigrationVersion: Sendable, Hashable {
  /// The model as it was.
  public let model: ManagedObjectModel
  /// What runs when a store becomes one of this version, by the names that this version has.
  public let steps: [MigrationStep]
  /// What a store may lose when it becomes one of this version: `Company`, `Person.fax: String`.
  public let discarding: Set<String>

  /// A version.
  /// - Parameters:
  ///   - model: The model as it was; its classes need not exist any more, descriptions will do.
  ///   - discarding: What a store may lose when it becomes one of this version.
  ///   - steps: What runs then.
  public init(
    _ model: ManagedObjectModel, discarding: Set<String> = [],
    @MigrationPlanBuilder steps: () -> [MigrationStep] = { [] }
  ) {
    self.model = model
    self.discarding = discarding
    self.steps = steps()
  }

  /// Whether two versions have the same model and the same steps.
  public static func == (a: MigrationVersion, b: MigrationVersion) -> Bool {
    a.model === b.model && a.steps == b.steps && a.discarding == b.discarding
  }

  /// Hashes what makes versions equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(model))
    hasher.combine(steps)
    hasher.combine(discarding)
  }
}
