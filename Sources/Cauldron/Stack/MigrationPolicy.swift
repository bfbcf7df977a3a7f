public import CauldronModel
import CauldronSQLite

/// What becomes of a store that another version of the model wrote.
///
/// ```swift
/// configuration.migration = .automatic(discarding: ["Company"])
/// ```
public struct MigrationPolicy: Sendable, Hashable {
  /// What may be lost; nil where no store is changed.
  let discarding: Set<String>?
  /// Whether a store that cannot be used gives way to a new one.
  var recreates = false
  /// The program's own steps.
  var plan = MigrationPlan(steps: [])

  /// The store is brought over when it is opened, in one transaction. What would lose values throws
  /// `migration.wouldDiscard`, unless the model gives them up: `@Entity(discards: ["fax: String"])`.
  public static let automatic = MigrationPolicy(discarding: [])

  /// As `automatic`, and these may be lost: entities, as `Company`, and properties with their types, as
  /// `Person.fax: String`. Before anything is lost, the store is copied beside itself.
  public static func automatic(discarding: Set<String>) -> MigrationPolicy {
    MigrationPolicy(discarding: discarding)
  }

  /// The store is refused with `store.incompatibleModel`, and stays as it is.
  public static let never = MigrationPolicy(discarding: nil)

  /// As `automatic`; a store that cannot be brought over, or is damaged or no database, is moved aside
  /// as `people.set-aside.sqlite`, and a new one is made. For caches and for developing: nothing is
  /// deleted, but the program begins without its data. Of a damaged file that somebody has written to within
  /// a second it is waited until that is over, at most ten seconds: it may be on its way to its place.
  public static var backUpAndRecreate: MigrationPolicy {
    var policy = automatic
    policy.recreates = true
    return policy
  }

  /// As `automatic`, and the steps of a plan run that a store needs, in the same transaction. What a step
  /// discards may be lost in the migration that runs it. Before any step runs, the store is copied beside
  /// itself.
  /// - Parameters:
  ///   - plan: The steps. One that contradicts itself is refused with `migration.invalidPlan` before
  ///     anything is opened.
  ///   - discarding: What else may be lost.
  public static func plan(
    _ plan: MigrationPlan, discarding: Set<String> = []
  ) -> MigrationPolicy {
    MigrationPolicy(discarding: discarding, plan: plan)
  }

  var permission: MigrationPermission? {
    discarding.map { MigrationPermission(discarding: $0, plan: plan) }
  }
}
