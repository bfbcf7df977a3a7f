/// How a store answers a query.
package struct StoreExplanation: Sendable {
  /// The statement; empty in memory.
  package let sql: String
  /// What the store does, a line for each step, indented by what it is part of.
  package let plan: [String]
  /// The properties that an index would have to have, so that not every row need be looked at.
  package let missing: [(entity: EntityLayout, properties: [PropertyLayout])]

  package init(
    sql: String, plan: [String],
    missing: [(entity: EntityLayout, properties: [PropertyLayout])] = []
  ) {
    self.sql = sql
    self.plan = plan
    self.missing = missing
  }
}
