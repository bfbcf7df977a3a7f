package import CauldronModel
package import CauldronStore

/// What may be lost of a store when its model has changed.
package struct MigrationPermission: Sendable {
  /// Entities, as `Company`, and properties with their types, as `Person.fax: String`, beside those that
  /// the entities of the model name themselves.
  package var discarding: Set<String>
  /// The steps of the program.
  package var plan: MigrationPlan
  /// Whether the store is copied even where nothing is lost.
  package var copies = false
  /// Whether the store becomes one of a former version, which has losses of its own to allow.
  var isFormer = false

  package init(discarding: Set<String> = [], plan: MigrationPlan = MigrationPlan(steps: [])) {
    self.discarding = discarding
    self.plan = plan
  }

  /// The same, with what steps no longer need.
  func allowing(_ steps: [MigrationStep]) -> MigrationPermission {
    var permission = self
    permission.discarding.formUnion(steps.flatMap(\.discards))
    return permission
  }
}

/// What a migration is to do, or has done.
package struct MigrationReport: Sendable {
  /// The store's file name.
  package var store: String
  package var changes: [ModelChange]
  /// The names of the program's own steps, in order.
  package var steps: [String] = []
  /// The steps that the store does not need, with the reason.
  package var skippedSteps: [String] = []
  /// What is lost, allowed or not.
  package var losses: [MigrationForecast.Loss] = []
  /// The rows of the tables that are written anew.
  package var rows = 0
  /// The seconds that it took.
  package var seconds = 0.0
  /// What keeps it from being done; the changes are shown all the same.
  package var problems: [CauldronError] = []

  /// Whether the store is copied before: values will be lost, or code runs that may lose some.
  package var isCopied: Bool { isCopiedAnyway || !losses.isEmpty || !steps.isEmpty }
  /// Whether the store is copied whatever is done to it.
  var isCopiedAnyway = false
  /// Adds what another stage does.
  mutating func add(_ other: MigrationReport) {
    isOnlyRecorded = changes.isEmpty && other.isOnlyRecorded
    changes += other.changes
    steps += other.steps
    skippedSteps += other.skippedSteps
    losses += other.losses
    problems += other.problems
    rows += other.rows
    isCopiedAnyway = isCopiedAnyway || other.isCopiedAnyway
  }

  /// Whether nothing is seen of it: the store needed none of the steps that it now records.
  var isEmpty: Bool { isOnlyRecorded && steps.isEmpty }
  /// Whether the store has the model's schema.
  var isOnlyRecorded = false
}

extension CauldronError {
  /// All that keeps a store from being migrated, as one error; nil where nothing does.
  static func migration(of file: StoreFile, problems: [CauldronError]) -> CauldronError? {
    guard let first = problems.first else { return nil }
    let list = problems.prefix(20).map(\.description).joined(separator: " ")
    let head = "Cannot migrate \"\(file.path)\": "
    let more = problems.count > 1 ? "\(problems.count) problems. " : ""
    let hint = problems.count > 1 ? "" : first.hint
    let text = problems.count > 1 ? list : first.message
    return CauldronError(first.code, head + more + text, hint: hint).with {
      $0.entity = first.entity
      $0.property = first.property
      $0.path = file.path
      $0.details = problems.count > 1 ? problems : []
    }
  }
}

extension MigrationReport: CustomStringConvertible {
  /// One line: `→ Migrating people.sqlite: Person + nickname (63,666 rows, 0.1 s)`.
  package var description: String {
    let parts = changes.map(\.description) + steps.map { "step \"\($0)\"" }
    let list = parts.isEmpty ? "what is not seen in tables" : parts.joined(separator: ", ")
    let extent = "\(rows) \(rows == 1 ? "row" : "rows"), \((seconds * 10).rounded() / 10) s"
    let line = "→ Migrating \(store): \(list) (\(extent))"
    return ([line] + skippedSteps).joined(separator: " ")
  }
}
