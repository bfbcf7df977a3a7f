package import CauldronModel

// Rows that have some values of a unique key.
extension UniqueKey {
  /// A query for the rows that have one of some values of the key, and where it has several parts, others.
  package func query(_ values: [[AttributeScalar]], in entity: EntityLayout) -> StoreQuery {
    var query = StoreQuery(entity: topmost(from: entity))
    query.predicate = condition(values)
    return query
  }
}

extension UniqueKey {
  /// Queries for the rows that have one of some values of the key, and for few others.
  ///
  /// Where the values are nearly all combinations of their parts, one condition for each part says
  /// it. Otherwise such conditions would find as many rows as there are combinations: then those
  /// values are asked for together that differ in one part alone.
  /// - Parameter values: Of each the parts, in the order of the key's properties.
  package func queries(_ values: [[AttributeScalar]], in entity: EntityLayout) -> [StoreQuery] {
    var queries: [StoreQuery] = []
    var rest = values[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Self.greatestValueCount))
      rest = rest.dropFirst(Self.greatestValueCount)
      let distinct = properties.indices.map { part in Set(some.map { $0[part] }) }
      let combinations = distinct.reduce(1) { min($0 * $1.count, Int(Int32.max)) }
      if combinations <= 8 * some.count {
        queries.append(query(some, in: entity))
      } else {
        let free = distinct.indices.max { distinct[$0].count < distinct[$1].count } ?? 0
        queries += self.queries(some, free: free, in: entity)
      }
    }
    return queries
  }

  /// How many values are looked for at once.
  private static var greatestValueCount: Int { 512 }
  /// How many conditions stand beside one another, so that each of them uses the key's index.
  private static var greatestTermCount: Int { 64 }

  /// Queries in which those values share a condition that differ in one part.
  private func queries(
    _ values: [[AttributeScalar]], free: Int, in entity: EntityLayout
  ) -> [StoreQuery] {
    let groups = Dictionary(grouping: values) { value in
      var fixed = value
      fixed.remove(at: free)
      return fixed
    }
    var rest = Array(groups.values)[...]
    var queries: [StoreQuery] = []
    while !rest.isEmpty {
      let some = rest.prefix(Self.greatestTermCount)
      var query = StoreQuery(entity: topmost(from: entity))
      query.predicate = .and(
        quickly(some.joined(), but: free) + [.or(some.map { condition($0) })])
      queries.append(query)
      rest = rest.dropFirst(Self.greatestTermCount)
    }
    return queries
  }

  /// Conditions that few other rows meet, which are tried first in memory. Each is denied twice, so
  /// that SQLite searches the index for the values themselves.
  private func quickly(
    _ values: some Sequence<[AttributeScalar]>, but free: Int
  ) -> [BoundPredicate] {
    properties.indices.filter { $0 != free }.map { .not(.not(condition(values, at: $0))) }
  }

  /// That each part is one of those of some values.
  private func condition(_ values: [[AttributeScalar]]) -> BoundPredicate {
    .and(properties.indices.map { condition(values, at: $0) })
  }

  private func condition(
    _ values: some Sequence<[AttributeScalar]>, at position: Int
  ) -> BoundPredicate {
    let property = properties[position]
    let values = Set(values.map { $0[position] })
    guard property.kind == .toOne else { return .isIn(property, values) }
    return .refersTo(property, Set(values.compactMap(\.key)))
  }

  /// The entity at the top of those that have the key's properties.
  private func topmost(from entity: EntityLayout) -> EntityLayout {
    guard let parent = entity.superentity,
      properties.allSatisfy({ entity.owner(of: $0) !== entity })
    else { return entity }
    return topmost(from: parent)
  }
}

extension AttributeScalar {
  fileprivate var key: Int64? { if case .integer(let key) = self { key } else { nil } }
}
