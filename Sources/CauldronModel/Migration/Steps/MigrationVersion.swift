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
