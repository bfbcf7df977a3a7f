extension MemoryTransaction {
  /// Counts what the plan leaves behind in the relationships that must not lead to any number.
  /// - Returns: Why layers must not stay written.
  func miscounts(_ plan: SavePlan, _ failures: [CauldronError?]) -> [Int: CauldronError] {
    plan.miscounts(failures) {
      counts($0, $1, Set($2))
    } owner: { owner, key in
      tables.row(key, of: owner).flatMap { tables.layout(of: $0.row) }
    }
  }

  private func counts(
    _ entity: EntityLayout, _ property: PropertyLayout, _ keys: Set<Int64>
  ) -> [Int64: Int] {
    let numbers = StoreQuery(entity: entity).entityRange
    var result: [Int64: Int] = [:]
    for row in tables.table(of: entity).values.lazy.map(\.row)
    where numbers.contains(row.entityNumber) && !row.isNull(property.index) {
      let key = row.slot(property.index)
      if keys.contains(key) { result[key, default: 0] += 1 }
    }
    return result
  }
}
