import CauldronModel

/// The statements that turn the tables of one model into those of another, planned without I/O.
///
/// Tables that have changed give way under another name; the new ones are filled from them.
struct MigrationStatements {
  /// A question whose answer must be no row: what it finds is a problem.
  struct Check {
    let sql: SQLFragment
    /// The problem, given what was found: the number of rows and the first values.
    let problem: (Int, [String]) -> CauldronError
  }

  /// Asked before anything is written.
  var checks: [Check] = []
  /// Makes and fills what the new model has. What the old one had and the new one has not is there still,
  /// for the steps of a plan, which run next.
  var expand: [SQLFragment] = []
  /// Takes away what the old model had, and makes the indexes.
  var contract: [SQLFragment] = []
  /// The tables of the source, whose indexes go that the new model has not.
  var source: [TableSchema] = []
  /// The tables of the source that are written anew or changed, for the room and the count.
  var touched: [String] = []
  /// Other tables that get indexes, for the room.
  var indexed: [String] = []
  /// The tables of the source that are written anew, whose indexes go.
  var rebuilt: [String] = []
  /// Indexes of other tables that go.
  var droppedIndexes: [String] = []
  /// The defaults that are made anew for each row, by the number that SQL knows them by.
  var computed: [@Sendable () -> AttributeScalar] = []
  /// The old tables as they are called between `expand` and `contract`, with the names that their columns
  /// have then: where steps read what goes.
  var old: StoreSchema?
  /// The names of the tables that are as they were, with their indexes.
  var kept: Set<String> = []
  /// The steps of the program's plan.
  var steps = MigrationPlan.Selection()
  /// What cannot be done.
  var problems: [CauldronError] = []
}
